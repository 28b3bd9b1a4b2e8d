import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Findings } from '../../../src/catalog/facts/fact.ts'
import { githubProbe } from '../../../src/catalog/facts/repository/fact.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, basesAt, DAY_MS, HOUR_MS, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()
const probe = () => githubProbe(basesAt(site.base))
const REPO = '/github/repos/acme/mail'
const LATEST = `${REPO}/releases/latest`
const repo = 'https://github.com/acme/mail'

beforeEach(async () => {
  site = await playedSite()
  plays({})
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

/** Plays a repository with an ETag, as GitHub does: the same again is a 304. */
function plays(more: object, headers: Record<string, string> = {}) {
  conditional(REPO, { stargazers_count: 17, archived: false, id: 1, ...more }, headers)
  conditional(LATEST, { tag_name: 'v1.2.0', published_at: '2026-11-01T08:00:00Z' }, headers)
}

function conditional(path: string, value: unknown, headers: Record<string, string>) {
  const etag = `W/"${Bun.hash(JSON.stringify(value))}"`
  site.on(path, (request) =>
    request.headers.get('if-none-match') === etag
      ? new Response(null, { status: 304, headers: { etag, ...headers } })
      : Response.json(value, { headers: { etag, ...headers } }),
  )
}

const again = (findings: Findings, more = {}) =>
  aSubject({ repo, ...more }, { facts: findings.facts })

test('stars, the newest release and whether it is archived are read', async () => {
  const findings = await probe().run(outside, aSubject({ repo: `${repo}.git` }), NOW)
  expect(visibleFacts(findings)).toEqual({
    'popularity github': { githubStars: 17 },
    'version github acme/mail': { version: 'v1.2.0', released: '2026-11-01' },
    repository: { url: repo, archived: false },
  })
  expect(findings.drafts).toBeUndefined()
})

test('what has not changed is asked for by its ETag, and read again as it was', async () => {
  const first = await probe().run(outside, aSubject({ repo }), NOW)
  const second = await probe().run(outside, again(first), NOW + DAY_MS)
  expect(visibleFacts(second)).toEqual(visibleFacts(first))
  expect(site.requests.map(({ headers }) => headers.has('if-none-match'))).toEqual([
    ...[false, false],
    ...[true, true],
  ])
  expect(second.facts.every(({ at }) => at === NOW + DAY_MS)).toBe(true)
})

test('an archived repository drafts a change, once, and keeps the day it was first seen', async () => {
  const first = await probe().run(outside, aSubject({ repo }), NOW)
  plays({ archived: true })
  const then = NOW + DAY_MS
  const second = await probe().run(outside, again(first), then)
  expect(visibleFacts(second).repository).toEqual({
    ...{ url: repo, archived: true },
    since: new Date(then).toISOString(),
  })
  expect(second.drafts).toEqual([
    {
      ...{ id: 'a-tool-archived-2026-11-22', kind: 'notice', source: repo },
      what: 'The repository acme/mail was archived on GitHub, first seen on 2026-11-22.',
    },
  ])
  plays({ archived: true, stargazers_count: 18 })
  const third = await probe().run(outside, again(second), then + DAY_MS)
  expect(visibleFacts(third).repository).toEqual(visibleFacts(second).repository)
  expect(third.drafts).toBeUndefined()
  plays({ archived: false })
  const fourth = await probe().run(outside, again(third), then + 2 * DAY_MS)
  expect(visibleFacts(fourth).repository).toEqual({ url: repo, archived: false })
})

test('two tools of one repository ask once, and each is asked about once a day', async () => {
  const one = probe()
  const first = await one.run(outside, aSubject({ repo }), NOW)
  const other = await one.run(outside, aSubject({ repo, slug: 'other' }), NOW + HOUR_MS)
  expect(other).toEqual(first)
  expect(await one.run(outside, again(first), NOW + 2 * HOUR_MS)).toEqual({ facts: [] })
  expect(site.paths).toHaveLength(2)
  await one.run(outside, again(first), NOW + DAY_MS)
  expect(site.paths).toHaveLength(4)
})

test('fifty requests an hour are made for all tools together, and those left over get their turn', async () => {
  const one = probe()
  const names = Array.from({ length: 60 }, (_, i) => `tool-${i}`)
  const namesWithFacts = new Set<string>()
  for (const hour of [0, 1, 2]) {
    const before = site.paths.length
    for (const name of names) {
      const path = `/github/repos/acme/${name}`
      site.json(path, { stargazers_count: 1, archived: false })
      const subject = aSubject({ slug: name, repo: `https://github.com/acme/${name}` })
      const { facts } = await one.run(outside, subject, NOW + hour * HOUR_MS)
      if (facts.length > 0) namesWithFacts.add(name)
    }
    expect(site.paths.length - before).toBeLessThanOrEqual(50)
    expect(namesWithFacts.size).toBe(Math.min(60, (hour + 1) * 25))
  }
})

test('once little is left nobody is asked before GitHub says so, whatever its clock says', async () => {
  const asks = async (reset: number, ms: number) => {
    plays({}, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(reset) })
    const one = probe()
    await one.run(outside, aSubject({ repo }), NOW)
    const before = site.paths.length
    await one.run(outside, aSubject({ slug: 'b', repo: `${repo}-b` }), NOW + ms)
    return site.paths.length > before
  }
  const inHalfAnHour = NOW / 1000 + 1800
  expect(await asks(inHalfAnHour, 29 * 60_000)).toBe(false)
  expect(await asks(inHalfAnHour, 31 * 60_000)).toBe(true)
  expect(await asks(0, 50_000)).toBe(false)
  expect(await asks(0, 61_000)).toBe(true)
  expect(await asks(9e12, 59 * 60_000)).toBe(false)
  expect(await asks(9e12, 62 * 60_000)).toBe(true)
  // Not a number of seconds.
  expect(await asks(Number.NaN, 62 * 60_000)).toBe(true)
})

test('a request for patience is granted before anything else is asked', async () => {
  site.on(REPO, () => new Response('{}', { status: 403, headers: { 'retry-after': '600' } }))
  const one = probe()
  expect(await one.run(outside, aSubject({ repo }), NOW)).toEqual({ facts: [] })
  plays({})
  const later = (ms: number) => one.run(outside, aSubject({ repo: `${repo}/tree/main` }), NOW + ms)
  await later(599_000)
  expect(site.paths).toEqual([REPO])
  expect((await later(601_000)).facts).not.toEqual([])
})

test('in a repository without releases no version is found', async () => {
  const first = await probe().run(outside, aSubject({ repo }), NOW)
  site.on(LATEST, () => Response.json({ message: 'Not Found' }, { status: 404 }))
  const second = await probe().run(outside, again(first), NOW)
  expect(visibleFacts(second)['version github acme/mail']).toBeUndefined()
  expect(visibleFacts(second)['popularity github']).toEqual({ githubStars: 17 })
})

test('only addresses of repositories on GitHub are asked about', () => {
  const applies = (url: string) => probe().appliesTo(aSubject({ repo: url }))
  for (const url of [
    'https://gitlab.com/acme/mail',
    'https://github.com/acme',
    'https://github.com/acme/..',
    'https://github.com.evil.example/acme/mail',
    'https://evil.example/github.com/acme/mail',
    `https://github.com/acme/${'x'.repeat(400)}`,
  ]) {
    expect(applies(url)).toBe(false)
  }
  expect(applies('https://www.github.com/acme/mail/tree/main/packages/a')).toBe(true)
  expect(probe().appliesTo(aSubject())).toBe(false)
})

test('a memory of another form, or of another repository, is none', async () => {
  for (const value of [
    7,
    { repo: 'acme/mail' },
    { repo: 'acme/other', stars: 1, archived: true },
  ]) {
    const facts = [{ subject: 'memory github', value }]
    const findings = await probe().run(outside, aSubject({ repo }, { facts }), NOW)
    expect(visibleFacts(findings).repository).toEqual({ url: repo, archived: false })
  }
  expect(site.requests.some(({ headers }) => headers.has('if-none-match'))).toBe(false)
})

for (const [name, play] of Object.entries(HOSTILE)) {
  test(`instead of an answer ${name}: what was known stays`, async () => {
    const outside = towards(name)
    const first = await probe().run(outside, aSubject({ repo }), NOW)
    site.on(REPO, play)
    expect(await probe().run(outside, again(first), NOW)).toEqual({ facts: [] })
    plays({ stargazers_count: 19 })
    site.on(LATEST, play)
    const third = visibleFacts(await probe().run(outside, again(first), NOW))
    expect(third).toEqual({ ...visibleFacts(first), 'popularity github': { githubStars: 19 } })
  })
}
