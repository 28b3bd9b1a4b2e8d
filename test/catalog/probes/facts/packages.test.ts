import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { goProbe } from '../../../../src/catalog/probes/facts/go.ts'
import { npmProbe } from '../../../../src/catalog/probes/facts/npm.ts'
import { pypiProbe } from '../../../../src/catalog/probes/facts/pypi.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite } from './played-site.ts'
import { aSubject, basesAt, found, NOW } from './subjects.ts'

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

describe('npm', () => {
  test('says the newest version and the downloads of a week, also of a package with a scope', async () => {
    site.json('/npm/@acme%2fmail/latest', { name: '@acme/mail', version: '3.2.1', dist: {} })
    site.json('/npm-api/downloads/point/last-week/@acme/mail', { downloads: 1234 })
    expect(found(await npm().run(outside, of('npm', '@acme/mail'), NOW))).toEqual({
      'version npm @acme/mail': { version: '3.2.1' },
      'popularity npm': { npmWeekly: 1234 },
    })
  })

  test('counts the package with most downloads, and null where none has a number', async () => {
    site.json('/npm-api/downloads/point/last-week/a', { downloads: 5 })
    site.json('/npm-api/downloads/point/last-week/b', { downloads: 7 })
    const popularity = async (...names: string[]) =>
      found(await npm().run(outside, of('npm', ...names), NOW))['popularity npm']
    expect(await popularity('a', 'b', 'gone')).toEqual({ npmWeekly: 7 })
    expect(await popularity('gone')).toEqual({ npmWeekly: null })
  })

  test('never asks for a name that would be another address, and applies to nothing else', async () => {
    for (const name of ['..', '../x', '@a/../b', './x', '@/x', 'a/b', '@a/b/c', 'x:y', '%2e']) {
      expect(npm().appliesTo(of('npm', name))).toBe(false)
    }
    expect(npm().appliesTo(of('pypi', 'a'))).toBe(false)
    expect(npm().appliesTo(aSubject())).toBe(false)
    expect(npm().appliesTo(of('npm', '@a/b', '..'))).toBe(true)
    await npm().run(outside, of('npm', '..', 'a'), NOW)
    expect(site.asked).toEqual(['/npm/a/latest', '/npm-api/downloads/point/last-week/a'])
  })

  test('asks for at most five packages of a record', async () => {
    await npm().run(outside, of('npm', ...'abcdefgh'), NOW)
    expect(site.asked.filter((path) => path.endsWith('/latest'))).toHaveLength(5)
  })
})

describe('PyPI', () => {
  const info = (version: unknown) => ({ info: { version, description: 'x' }, urls: [] })

  test('says version, day of release and downloads, under the normal form of the name', async () => {
    site.json('/pypi/pypi/acme-mail/json', info('2.0'))
    site.json('/pypi/pypi/acme-mail/2.0/json', {
      urls: [
        { upload_time_iso_8601: '2026-11-03T10:00:00.123456Z' },
        { upload_time_iso_8601: '2026-11-02T23:59:00Z' },
      ],
    })
    site.json('/pypistats/api/packages/acme-mail/recent', { data: { last_week: 42 } })
    expect(found(await pypi().run(outside, of('pypi', 'Acme_.Mail'), NOW))).toEqual({
      'version pypi Acme_.Mail': { version: '2.0', released: '2026-11-02' },
      'popularity pypi': { pypiWeekly: 42 },
    })
  })

  test('asks for the day once a version', async () => {
    site.json('/pypi/pypi/a/json', info('2.0'))
    const known = [{ subject: 'version pypi a', value: { version: '2.0', released: '2026-11-02' } }]
    const packages = [{ registry: 'pypi', name: 'a' }]
    const facts = found(await pypi().run(outside, aSubject({ packages }, { known }), NOW))
    expect(facts['version pypi a']).toEqual({ version: '2.0', released: '2026-11-02' })
    expect(site.asked).not.toContain('/pypi/pypi/a/2.0/json')
  })

  test('reads what stands first, however long the list of files after it', async () => {
    const files = {
      '1.0': Array.from({ length: 20_000 }, (_, i) => ({ filename: `f${i}`, size: i })),
    }
    site.json('/pypi/pypi/a/json', {
      ...info('1.0'),
      releases: { ...files, '0.9': 'y'.repeat(9e6) },
    })
    expect(found(await pypi().run(outside, of('pypi', 'a'), NOW))['version pypi a']).toEqual({
      version: '1.0',
    })
  })

  test('takes no day of release from a clock that is wrong', async () => {
    site.json('/pypi/pypi/a/json', info('1'))
    for (const time of [
      '2031-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '2026-02-31T00:00:00Z',
      'now',
    ]) {
      site.json('/pypi/pypi/a/1/json', { urls: [{ upload_time_iso_8601: time }] })
      expect(found(await pypi().run(outside, of('pypi', 'a'), NOW))['version pypi a']).toEqual({
        version: '1',
      })
    }
  })
})

describe('Go', () => {
  test('writes capital letters as the proxy wants them', async () => {
    site.json('/go/github.com/!burnt!sushi/toml/@latest', {
      Version: 'v1.5.0',
      Time: '2025-03-01T10:00:00Z',
    })
    expect(found(await go().run(outside, of('go', 'github.com/BurntSushi/toml'), NOW))).toEqual({
      'version go github.com/BurntSushi/toml': { version: 'v1.5.0', released: '2025-03-01' },
    })
  })

  test('knows what a module path looks like', () => {
    for (const name of [
      'toml',
      'github.com/../x',
      'github.com/.git/x',
      'github.com//x',
      'a.b/x.',
    ]) {
      expect(go().appliesTo(of('go', name))).toBe(false)
    }
    for (const name of ['gopkg.in/yaml.v3', 'example.com/m/v2', 'go.uber.org/zap']) {
      expect(go().appliesTo(of('go', name))).toBe(true)
    }
  })
})

describe('whatever a registry does instead of answering, what was known stays:', () => {
  for (const [name, play] of Object.entries(HOSTILE)) {
    test(name, async () => {
      for (const path of ['/npm/a/latest', '/npm-api/downloads/point/last-week/a'])
        site.on(path, play)
      for (const path of ['/pypi/pypi/a/json', '/pypistats/api/packages/a/recent'])
        site.on(path, play)
      site.on('/go/a.b/c/@latest', play)
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
  const facts = found(await npm().run(outside, of('npm', 'a'), NOW))
  expect(facts['version npm a']).toEqual({ version: '1.0.0' })

  site.on(hop(3), () => new Response(null, { status: 302, headers: { location: hop(4) } }))
  site.json(hop(4), { version: '1.0.0' })
  expect(found(await npm().run(outside, of('npm', 'a'), NOW))['version npm a']).toBeUndefined()
  expect(site.asked).not.toContain(hop(4))
})

test('a version of a stranger is one line without what turns the direction, and never too long', async () => {
  const shown = async (version: string) => {
    site.json('/npm/a/latest', { version })
    return found(await npm().run(outside, of('npm', 'a'), NOW))['version npm a']
  }
  expect(await shown('1.0\u202e.9\n\u0000-x')).toEqual({ version: '1.0.9 -x' })
  expect(await shown('9'.repeat(250))).toEqual({ version: '9'.repeat(100) })
  expect(await shown('\u202e\u0007')).toBeUndefined()
})
