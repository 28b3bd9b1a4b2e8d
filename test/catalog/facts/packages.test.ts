import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { goProbe, npmProbe, pypiProbe } from '../../../src/catalog/facts/versions/registries.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, basesAt, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()
const npm = () => npmProbe(basesAt(site.base))
const pypi = () => pypiProbe(basesAt(site.base))
const go = () => goProbe(basesAt(site.base))

const of = (registry: string, ...names: string[]) =>
  aSubject({ packages: names.map((name) => ({ registry, name })) })

beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

test('npm says the newest version and the downloads of a week, also of a package with a scope', async () => {
  site.json('/npm/@acme%2fmail/latest', { name: '@acme/mail', version: '3.2.1', dist: {} })
  site.json('/npm-api/downloads/point/last-week/@acme/mail', { downloads: 1234 })
  expect(visibleFacts(await npm().run(outside, of('npm', '@acme/mail'), NOW))).toEqual({
    'version npm @acme/mail': { version: '3.2.1' },
    'popularity npm': { npmWeekly: 1234 },
  })
})

test('npm counts the package with most downloads, and null where none has a number', async () => {
  site.json('/npm-api/downloads/point/last-week/a', { downloads: 5 })
  site.json('/npm-api/downloads/point/last-week/b', { downloads: 7 })
  const popularity = async (...names: string[]) =>
    visibleFacts(await npm().run(outside, of('npm', ...names), NOW))['popularity npm']
  expect(await popularity('a', 'b', 'gone')).toEqual({ npmWeekly: 7 })
  expect(await popularity('gone')).toEqual({ npmWeekly: null })
})

test('npm never asks for a name that would be another address, and applies to nothing else', async () => {
  for (const name of ['..', '../x', '@a/../b', './x', '@/x', 'a/b', '@a/b/c', 'x:y', '%2e']) {
    expect(npm().appliesTo(of('npm', name))).toBe(false)
  }
  expect(npm().appliesTo(of('pypi', 'a'))).toBe(false)
  expect(npm().appliesTo(aSubject())).toBe(false)
  expect(npm().appliesTo(of('npm', '@a/b', '..'))).toBe(true)
  await npm().run(outside, of('npm', '..', 'a'), NOW)
  expect(site.paths).toEqual(['/npm/a/latest', '/npm-api/downloads/point/last-week/a'])
})

test('npm asks for at most five packages of a record', async () => {
  await npm().run(outside, of('npm', ...'abcdefgh'), NOW)
  expect(site.paths.filter((path) => path.endsWith('/latest'))).toHaveLength(5)
})

const FEED = '/pypi/rss/project/acme-mail/releases.xml'
const feed = (...releases: Array<[version: string, day: string]>) =>
  site.text(
    FEED,
    `<?xml version="1.0"?><rss version="2.0"><channel><title>PyPI</title>${releases
      .map(([version, day]) => `<item><title>${version}</title><pubDate>${day}</pubDate></item>`)
      .join('\n')}</channel></rss>`,
    'text/xml; charset=UTF-8',
  )
const NOV_3 = 'Tue, 03 Nov 2026 23:10:00 GMT'
const version = async () =>
  visibleFacts(await pypi().run(outside, of('pypi', 'Acme_.Mail'), NOW))['version pypi Acme_.Mail']

test('PyPI says version, day of release and downloads, under the normal form of the name', async () => {
  feed(['2.0', NOV_3])
  site.json('/pypistats/api/packages/acme-mail/recent', { data: { last_week: 42 } })
  expect(visibleFacts(await pypi().run(outside, of('pypi', 'Acme_.Mail'), NOW))).toEqual({
    'version pypi Acme_.Mail': { version: '2.0', released: '2026-11-03' },
    'popularity pypi': { pypiWeekly: 42 },
  })
})

test('PyPI takes the highest that is final, not the last that was made', async () => {
  const old = 'Mon, 02 Mar 2026 10:00:00 GMT'
  feed(['3.0rc1', NOV_3], ['1.9.12', NOV_3], ['2.10.0', old], ['2.9.9', old], ['2.10', old])
  expect(await version()).toEqual({ version: '2.10.0', released: '2026-03-02' })
  feed(['2.0', old], ['2.0.post1', NOV_3], ['1!0.1', old])
  expect(await version()).toMatchObject({ version: '1!0.1' })
  feed(['2.0', old], ['2.0.post1', NOV_3])
  expect(await version()).toMatchObject({ version: '2.0.post1' })
  feed(['0.1a2', NOV_3], ['0.1a10', old])
  expect(await version()).toMatchObject({ version: '0.1a2' })
})

test('PyPI takes no day of release from a clock that is wrong', async () => {
  for (const time of ['Wed, 01 Jan 2031 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'now']) {
    feed(['1.0', time])
    expect(await version()).toEqual({ version: '1.0' })
  }
})

test('PyPI reads nothing out of what is no feed', async () => {
  const whole = '<item><title>1.0</title></item>'
  const odd: Array<[text: string, type: string]> = [
    [whole, 'text/html'],
    [whole + ' '.repeat(300_000), 'text/xml'],
    ['<item>'.repeat(40_000), 'text/xml'],
    ['<item><title><b>1.0</b></title></item>', 'text/xml'],
    ['<item><title>\u202e</title></item>', 'text/xml'],
  ]
  for (const [text, type] of odd) {
    site.text(FEED, text, type)
    expect(await version()).toBeUndefined()
  }
})

test('Go writes capital letters as the proxy wants them', async () => {
  site.json('/go/github.com/!burnt!sushi/toml/@latest', {
    Version: 'v1.5.0',
    Time: '2025-03-01T10:00:00Z',
  })
  expect(
    visibleFacts(await go().run(outside, of('go', 'github.com/BurntSushi/toml'), NOW)),
  ).toEqual({
    'version go github.com/BurntSushi/toml': { version: 'v1.5.0', released: '2025-03-01' },
  })
})

test('Go knows what a module path looks like', () => {
  for (const name of ['toml', 'github.com/../x', 'github.com/.git/x', 'github.com//x', 'a.b/x.']) {
    expect(go().appliesTo(of('go', name))).toBe(false)
  }
  for (const name of ['gopkg.in/yaml.v3', 'example.com/m/v2', 'go.uber.org/zap']) {
    expect(go().appliesTo(of('go', name))).toBe(true)
  }
})

describe('whatever a registry does instead of answering, what was known stays:', () => {
  for (const [name, play] of Object.entries(HOSTILE)) {
    test(name, async () => {
      for (const path of ['/npm/a/latest', '/npm-api/downloads/point/last-week/a'])
        site.on(path, play)
      for (const path of ['/pypi/rss/project/a/releases.xml', '/pypistats/api/packages/a/recent'])
        site.on(path, play)
      site.on('/go/a.b/c/@latest', play)
      const outside = towards(name)
      expect(await npm().run(outside, of('npm', 'a'), NOW)).toEqual({ facts: [] })
      expect(await pypi().run(outside, of('pypi', 'a'), NOW)).toEqual({ facts: [] })
      expect(await go().run(outside, of('go', 'a.b/c'), NOW)).toEqual({ facts: [] })
    })
  }
})

test('a redirect to another address that may be reached is followed, three times at most', async () => {
  const hop = (i: number) => `/hop/${i}`
  const first = '/npm/a/latest'
  site.on(first, () => Response.redirect(`${site.base}${hop(1)}`, 301))
  site.on(hop(1), () => new Response(null, { status: 308, headers: { location: hop(2) } }))
  site.on(hop(2), () => new Response(null, { status: 302, headers: { location: `${hop(3)}#x` } }))
  site.json(hop(3), { version: '1.0.0' })
  const facts = visibleFacts(await npm().run(outside, of('npm', 'a'), NOW))
  expect(facts['version npm a']).toEqual({ version: '1.0.0' })

  site.on(hop(3), () => new Response(null, { status: 302, headers: { location: hop(4) } }))
  site.json(hop(4), { version: '1.0.0' })
  expect(
    visibleFacts(await npm().run(outside, of('npm', 'a'), NOW))['version npm a'],
  ).toBeUndefined()
  expect(site.paths).not.toContain(hop(4))
})

test('a version of a stranger is one line without what turns the direction, and never too long', async () => {
  const readVersion = async (version: string) => {
    site.json('/npm/a/latest', { version })
    return visibleFacts(await npm().run(outside, of('npm', 'a'), NOW))['version npm a']
  }
  expect(await readVersion('1.0\u202e.9\n\u0000-x')).toEqual({ version: '1.0.9 -x' })
  expect(await readVersion('9'.repeat(250))).toEqual({ version: '9'.repeat(100) })
  expect(await readVersion('\u202e\u0007')).toBeUndefined()
})
