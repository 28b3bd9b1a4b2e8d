import { beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { AuthoredReview, ReviewerKey } from '../../../src/catalog/records/review.ts'
import { TYP } from '../../../src/catalog/signing/keys.ts'
import {
  checkReview,
  checkReviews,
  reviewBytes,
  signReview,
} from '../../../src/catalog/signing/review.ts'
import { publicJwk } from '../../../src/platform/signing/ed25519.ts'
import { signDetached } from '../../../src/platform/signing/jws.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { type TestKey, testKey } from './signing-world.ts'

let key: TestKey
let reviewerKey: ReviewerKey
beforeAll(async () => {
  key = await testKey()
  reviewerKey = { kid: key.kid, jwk: publicJwk(key.jwk), name: 'A desk', since: '2026-11-01' }
})

const review = (more: Partial<AuthoredReview> = {}): AuthoredReview => ({
  ...{ id: 'first', tool: 'tool-0001', kind: 'desk', date: '2026-11-10', rating: 4 },
  ...{ title: 'It works', body: 'Grüße, "quoted" \u2028 and more.', pros: ['Fast'], cons: [] },
  ...{ themes: [], source: 'A desk', basis: 'Documents', outcome: '', ...more },
})

async function signed(more: Partial<AuthoredReview> = {}, by = key): Promise<AuthoredReview> {
  const own = review(more)
  return { ...own, signature: await signReview(own, by.jwk, by.kid) }
}

const status = async (one: AuthoredReview, more: Partial<ReviewerKey> = {}) =>
  (await checkReview(one, [{ ...reviewerKey, ...more }]))?.status

test('a signature under a review is valid for what was signed, and for nothing else', async () => {
  const one = await signed()
  expect(await status(one)).toBe('valid')
  expect(await checkReview(review(), [reviewerKey])).toBeUndefined()
  for (const other of [{ rating: 5 }, { body: 'x' }, { tool: 'tool-0002' }, { id: 'second' }]) {
    expect(await status({ ...one, ...other })).toBe('invalid')
  }
})

test('a signature under a review stays valid when the tool is renamed, wherever its file lies then', async () => {
  const one = await signed()
  const removed = [
    { slug: 'tool-0001', date: '2026-11-12', reason: 'New name.', renamedTo: 'middle' },
    { slug: 'middle', date: '2026-11-13', reason: 'New name.', renamedTo: 'newest' },
  ]
  const moved = { ...one, tool: 'newest' }
  const other = { ...one, tool: 'stranger' }
  const results = await checkReviews({ reviews: [one, moved, other], keys: [reviewerKey], removed })
  expect([...results].map(([name, { status }]) => [name, status])).toEqual([
    ['tool-0001/first', 'valid'],
    ['newest/first', 'valid'],
    ['stranger/first', 'invalid'],
  ])
})

test('a signature of a manifest is none of a review', async () => {
  const one = review()
  const jws = await signDetached(reviewBytes(one), key.jwk, TYP.manifest)
  const text = `${jws.protected}..${jws.signature}`
  const result = await checkReview(
    { ...one, signature: { alg: 'EdDSA', kid: key.kid, jws: text } },
    [reviewerKey],
  )
  expect(result).toMatchObject({ status: 'invalid', why: expect.stringContaining('manifest+jws') })
})

test.each(['none', 'HS256', 'ES256'])('alg %s counts for nothing', async (alg) => {
  const one = review()
  const header = JSON.stringify({ alg, kid: key.kid, typ: TYP.review })
  const head = Buffer.from(header).toString('base64url')
  const input = `${head}.${Buffer.from(reviewBytes(one)).toString('base64url')}`
  const secret = Buffer.from(reviewerKey.jwk.x, 'base64url')
  const mac = createHmac('sha512', secret).update(input).digest('base64url')
  for (const end of ['', mac]) {
    const jws = `${head}..${end}`
    for (const algorithm of [alg, 'EdDSA']) {
      expect(await status({ ...one, signature: { alg: algorithm, kid: key.kid, jws } })).toBe(
        'invalid',
      )
    }
  }
})

test('the block and the header must name one key', async () => {
  const one = await signed()
  const other = await testKey()
  const { signature } = one
  if (!signature) throw new Error('it is not signed')
  expect(await status({ ...one, signature: { ...signature, kid: other.kid } })).toBe('invalid')
  const attached = signature.jws.replace('..', '.e30.')
  expect(await status({ ...one, signature: { ...signature, jws: attached } })).toBe('invalid')
  for (const jws of ['', '.', '..', 'a..b', `${signature.jws}.`]) {
    expect(await status({ ...one, signature: { ...signature, jws } })).toBe('invalid')
  }
})

test('a key that is not listed is said to be unknown', async () => {
  const one = await signed({}, await testKey())
  expect(await status(one)).toBe('unknown-key')
  expect((await checkReview(one, []))?.status).toBe('unknown-key')
})

test('a key signs from its first day to its last, and until it is revoked', async () => {
  const one = await signed({ date: '2026-11-10' })
  expect(await status(one, { since: '2026-11-10' })).toBe('valid')
  expect(await status(one, { since: '2026-11-11' })).toBe('invalid')
  expect(await status(one, { until: '2026-11-10' })).toBe('valid')
  expect(await status(one, { until: '2026-11-09' })).toBe('invalid')
  const revoked = (at: string) => ({ revoked: { at, reason: 'Lost.' } })
  expect(await status(one, revoked('2026-11-11'))).toBe('valid')
  expect(await status(one, revoked('2026-11-10'))).toBe('revoked-key')
  expect(await status(one, revoked('2026-11-01'))).toBe('revoked-key')
  // A revoked key does not make a forgery anything better.
  expect(await status({ ...one, rating: 1 }, revoked('2026-11-01'))).toBe('invalid')
})

test('every state is served as what it is, on the page, in Markdown and in JSON', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(2)
  const tool = source.tools[1]?.slug ?? ''
  const lost = await testKey()
  const revoked = { at: '2026-11-01', reason: 'Lost.' }
  const reviews = [
    await signed({ tool, id: 'valid' }),
    { ...(await signed({ tool, id: 'invalid' })), rating: 1 },
    await signed({ tool, id: 'unknown-key' }, await testKey()),
    await signed({ tool, id: 'revoked-key' }, lost),
    review({ tool, id: 'unsigned' }),
  ]
  const gone: ReviewerKey = { ...reviewerKey, kid: lost.kid, jwk: publicJwk(lost.jwk), revoked }
  await world.publish({ ...source, reviews, keys: [reviewerKey, gone] })
  type Served = {
    tool: {
      catalog: { reviewCount: number; avgRating: number }
      reviews: Array<{ id: string; signature: { status: string } | null }>
    }
  }
  const { catalog, reviews: served } = (await world.json<Served>(`/api/v1/tools/${tool}.json`)).tool
  // A forged one and one of a stolen key take no part in the mean.
  expect(catalog).toMatchObject({ reviewCount: 3, avgRating: 4 })
  expect(served.map(({ id }) => id).sort()).toEqual(reviews.map(({ id }) => id).sort())
  for (const { id, signature } of served) {
    expect(signature?.status ?? 'unsigned').toBe(id)
  }
  const { keys } = await world.json<{ keys: object[] }>('/.well-known/catalog-keys.json')
  expect(keys).toContainEqual(expect.objectContaining({ kid: reviewerKey.kid, purpose: 'review' }))
  expect(keys).toContainEqual(expect.objectContaining({ kid: lost.kid, revoked }))
  for (const path of [`/tools/${tool}`, `/tools/${tool}.md`]) {
    const text = await (await world.get(path, { 'accept-encoding': 'identity' })).text()
    for (const words of ['valid', 'not valid', 'does not know', 'was revoked']) {
      expect(text).toContain(words)
    }
  }
})

test('a review of the old slug counts for the record under its new one', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(4)
  const [tool] = source.tools
  if (!tool) throw new Error('there is none')
  const one = await signed({ tool: tool.slug })
  const renamed = { slug: tool.slug, date: '2026-11-12', reason: 'New name.', renamedTo: 'newest' }
  await world.publish({
    ...source,
    tools: [{ ...tool, slug: 'newest' }, ...source.tools.slice(1)],
    reviews: [one],
    removed: [...source.removed, renamed],
    keys: [reviewerKey],
  })
  const { tool: served } = await world.json<{ tool: Served }>('/api/v1/tools/newest.json')
  expect(served.catalog.reviewCount).toBe(1)
  expect(served.reviews.map(({ id, signature }) => [id, signature?.status])).toEqual([
    ['first', 'valid'],
  ])
})

type Served = {
  catalog: { reviewCount: number }
  reviews: Array<{ id: string; signature: { status: string } | null }>
}
