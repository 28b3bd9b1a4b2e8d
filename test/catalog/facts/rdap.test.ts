import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rdapProbe } from '../../../src/catalog/facts/domain.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, basesAt, DAY_MS, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()

beforeEach(async () => {
  site = await playedSite()
  site.json('/rdap/dns.json', {
    version: '1.0',
    services: [
      [['org', 'com'], [`${site.base}/com/v1`]],
      [['uk'], [`${site.base}/uk/`]],
    ],
  })
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

const events = (registration: string, expiration: string) => [
  { eventAction: 'last changed', eventDate: '2026-01-01T00:00:00Z' },
  { eventAction: 'registration', eventDate: registration },
  { eventAction: 'Expiration', eventDate: expiration },
]
const of = (url: string) => aSubject({}, { vendor: { url } })
const ask = async (
  url: string,
  probe = rdapProbe(basesAt(site.base)),
  now = NOW,
  through = outside,
) => visibleFacts(await probe.run(through, of(url), now)).domain

test('the server of the ending is asked for the domain that somebody registered', async () => {
  const dates = events('1998-03-02T05:00:00Z', '2031-03-01T04:00:00.0Z')
  site.json('/com/v1/domain/acme.com', { ldhName: 'ACME.COM', events: dates })
  expect(await ask('https://docs.eu.acme.com/x')).toEqual({
    ...{ name: 'acme.com', registered: '1998-03-02', expires: '2031-03-01' },
  })
  site.on('/uk/domain/acme.co.uk', () =>
    Response.json({ events: dates }, { headers: { 'content-type': 'application/rdap+json' } }),
  )
  expect(await ask('https://www.acme.co.uk')).toMatchObject({ name: 'acme.co.uk' })
})

test('nothing is made up: an ending without a server, a domain nobody has, dates that are none', async () => {
  expect(await ask('https://acme.example')).toEqual({ name: 'acme.example', registered: null })
  expect(await ask('https://gone.com')).toEqual({ name: 'gone.com', registered: null })
  const odd = events('2099-01-01T00:00:00Z', 'never')
  site.json('/com/v1/domain/acme.com', { events: odd })
  expect(await ask('https://acme.com')).toEqual({ name: 'acme.com', registered: null })
  site.json('/com/v1/domain/acme.com', { ldhName: 'other.com', events: odd })
  expect(await ask('https://acme.com')).toBeUndefined()
})

test('the list is read once a week, a domain once in 15 days for all tools of a vendor', async () => {
  const probe = rdapProbe(basesAt(site.base))
  await ask('https://acme.com', probe)
  await ask('https://www.acme.com', probe, NOW + DAY_MS)
  await ask('https://acme.org', probe, NOW + 6 * DAY_MS)
  expect(site.paths).toEqual([
    ...['/rdap/dns.json', '/com/v1/domain/acme.com', '/com/v1/domain/acme.org'],
  ])
  await ask('https://acme.net', probe, NOW + 7 * DAY_MS)
  expect(site.paths.at(-1)).toBe('/rdap/dns.json')
})

test('a vendor without a domain of its own is not looked up', () => {
  const probe = rdapProbe(basesAt(''))
  expect(probe.appliesTo(of('https://10.0.0.1/x'))).toBe(false)
  expect(probe.appliesTo(of('https://co.uk/'))).toBe(false)
  expect(probe.appliesTo(of('https://acme.example/'))).toBe(true)
})

for (const [name, play] of Object.entries(HOSTILE)) {
  test(`instead of an answer ${name}: nothing is found`, async () => {
    site.on('/com/v1/domain/acme.com', play)
    const look = () => ask('https://acme.com', undefined, NOW, towards(name))
    const domain = (await look()) as { registered: unknown } | undefined
    expect(domain?.registered ?? null).toBeNull()
    site.on('/rdap/dns.json', play)
    expect(await look()).toBeUndefined()
  })
}

test('a list that leads to a private address reaches nobody', async () => {
  for (const server of ['https://10.0.0.1/', 'http://169.254.169.254/', 'file:///etc/', 'x']) {
    site.json('/rdap/dns.json', { services: [[['com'], [server]]] })
    const domain = (await ask('https://acme.com')) as { registered: unknown } | undefined
    expect(domain?.registered ?? null).toBeNull()
  }
})
