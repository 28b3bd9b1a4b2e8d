import { expect, test } from 'bun:test'
import { followKeys, signNextKey } from '../../../src/catalog/signing/follow-keys.ts'
import type { CatalogKey } from '../../../src/catalog/signing/keys.ts'
import { type TestKey, testKey } from './signing-world.ts'

async function chain(length: number): Promise<TestKey[]> {
  const keys: TestKey[] = [await testKey()]
  while (keys.length < length) {
    const before = keys.at(-1) as TestKey
    const next = await testKey()
    const endorsement = await signNextKey({ ...before.jwk, kid: before.kid }, next.listed)
    keys.push({ ...next, listed: { ...next.listed, endorsement } })
  }
  return keys
}

const listOf = (keys: TestKey[], more: Record<number, Partial<CatalogKey>> = {}) => ({
  keys: keys.map(({ listed }, i) => ({ ...listed, ...more[i] })),
})

async function followed(list: unknown, from: TestKey | undefined, to: TestKey | undefined) {
  const result = await followKeys(list, from?.kid ?? '', to?.kid ?? '')
  return result.ok ? result.through.length : result.why
}

test('whoever pinned an old key follows through each that vouches for the next', async () => {
  const keys = await chain(3)
  expect(await followed(listOf(keys), keys[0], keys[0])).toBe(1)
  expect(await followed(listOf(keys), keys[0], keys[2])).toBe(3)
  expect(await followed(listOf(keys), keys[1], keys[2])).toBe(2)
})

test('nobody follows back, to a stranger, or past a key that is missing', async () => {
  const keys = await chain(3)
  const stranger = await testKey()
  expect(await followed(listOf(keys), keys[2], keys[0])).toContain('No key before it vouches')
  expect(await followed(listOf([...keys, stranger]), keys[0], stranger)).toContain('vouches for')
  expect(await followed(listOf(keys), keys[0], stranger)).toContain('does not follow')
  const without = listOf(keys.filter((_, i) => i !== 1))
  expect(await followed(without, keys[0], keys[2])).toContain('not in the list of keys')
})

test('a revoked key vouches for nothing', async () => {
  const keys = await chain(3)
  const revoked = { at: '2026-11-20', reason: 'Stolen.' }
  expect(await followed(listOf(keys, { 0: { revoked } }), keys[0], keys[2])).toContain('The pinned')
  expect(await followed(listOf(keys, { 1: { revoked } }), keys[0], keys[2])).toContain('Stolen.')
  // Whoever pinned the newest one has no need of those before.
  expect(await followed(listOf(keys, { 0: { revoked } }), keys[1], keys[2])).toBe(2)
})

test('words of a key that it did not say count for nothing', async () => {
  const [first, second] = await chain(2)
  const thief = await testKey()
  const forged = await signNextKey({ ...thief.jwk, kid: first?.kid ?? '' }, thief.listed)
  const listed = { ...thief.listed, endorsement: forged }
  const list = { keys: [first?.listed, second?.listed, listed] }
  expect(await followed(list, first, thief)).toContain('does not vouch')
  // What was said of the second is not said of the thief.
  const taken = { ...thief.listed, endorsement: second?.listed.endorsement }
  expect(await followed({ keys: [first?.listed, taken] }, first, thief)).toContain('does not vouch')
  // Two that vouch for each other end nowhere.
  const a = await testKey()
  const b = await testKey()
  const ring = [
    { ...a.listed, endorsement: await signNextKey({ ...b.jwk, kid: b.kid }, a.listed) },
    { ...b.listed, endorsement: await signNextKey({ ...a.jwk, kid: a.kid }, b.listed) },
  ]
  expect(await followed({ keys: [...ring, first?.listed] }, first, a)).toContain('does not follow')
  // A key for reviews cannot hand the manifest on.
  const reviewer = await testKey({ purpose: 'review' })
  const byReviewer = await signNextKey({ ...reviewer.jwk, kid: reviewer.kid }, thief.listed)
  const handed = { keys: [reviewer.listed, { ...thief.listed, endorsement: byReviewer }] }
  expect(await followed(handed, reviewer, thief)).toContain('cannot vouch')
})
