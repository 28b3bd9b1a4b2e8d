import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readSecurityTxt, securityTxtProbe } from '../../../src/catalog/facts/security-txt.ts'
import {
  endless,
  HOSTILE,
  localOutside,
  type PlayedSite,
  playedSite,
  towards,
} from './played-site.ts'
import { aSubject, basesAt, DAY_MS, NOW, visibleFacts } from './subjects.ts'

const CONTACT = 'Contact: mailto:security@acme.example'
const LATER = '2027-01-01T00:00:00Z'
const file = (...lines: string[]) => `${lines.join('\r\n')}\r\n`

const status = (...lines: string[]) => readSecurityTxt(file(...lines), NOW).status

test('a security.txt is valid with a contact and a day on which it ends, whatever the case and the line ends', () => {
  expect(status(CONTACT, `Expires: ${LATER}`)).toBe('valid')
  expect(status('# Hi', '', 'CONTACT: https://acme.example/x', `expires:${LATER}`)).toBe('valid')
  expect(status(CONTACT, 'Expires: 2027-01-01t00:00:00.5+02:00', 'X-Odd: yes')).toBe('valid')
  expect(readSecurityTxt(`\ufeff${CONTACT}\nExpires: ${LATER}`, NOW)).toEqual({
    ...{ status: 'valid', expires: Date.UTC(2027, 0, 1) },
  })
})

test('a security.txt has expired from the moment on that it names', () => {
  const expires = (time: number) => `Expires: ${new Date(time).toISOString()}`
  expect(status(CONTACT, expires(NOW + 1))).toBe('valid')
  expect(status(CONTACT, expires(NOW))).toBe('expired')
  expect(status(CONTACT, 'Expires: 1999-12-31T23:59:60Z')).toBe('expired')
})

test('a security.txt that lacks what it must have is none', () => {
  expect(status(CONTACT)).toBe('none')
  expect(status(`Expires: ${LATER}`)).toBe('none')
  expect(status(CONTACT, `Expires: ${LATER}`, `Expires: ${LATER}`)).toBe('none')
  for (const wrong of ['2027', 'Thu, 31 Dec 2027 18:37:07 -0800', '2027-02-31T00:00:00Z', '']) {
    expect(status(CONTACT, `Expires: ${wrong}`)).toBe('none')
  }
  for (const wrong of ['security@acme.example', 'http://acme.example', 'javascript:alert(1)']) {
    expect(status(`Contact: ${wrong}`, `Expires: ${LATER}`)).toBe('none')
  }
  expect(status(`# ${CONTACT}`, `Expires: ${LATER}`)).toBe('none')
})

test('a security.txt is read inside a signature, and only there', () => {
  const signed = (...inside: string[]) =>
    status(
      ...['-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', ''],
      ...inside,
      ...['-----BEGIN PGP SIGNATURE-----', '', 'iHUEARYKAB0=', '-----END PGP SIGNATURE-----'],
      ...[CONTACT, `Expires: ${LATER}`],
    )
  expect(signed(CONTACT, `Expires: ${LATER}`)).toBe('valid')
  expect(signed(`- ${CONTACT}`, `Expires: ${LATER}`)).toBe('valid')
  expect(signed('# nothing')).toBe('none')
  expect(status('-----BEGIN PGP SIGNED MESSAGE-----', '', CONTACT, `Expires: ${LATER}`)).toBe(
    'none',
  )
})

test('a security.txt may be any text without harm', () => {
  const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom(CONTACT, `Expires: ${LATER}`)))
  fc.assert(
    fc.property(lines, (some) => {
      expect(['valid', 'none', 'expired']).toContain(status(...some))
    }),
  )
})

describe('of a vendor', () => {
  let site: PlayedSite
  const PATH = '/.well-known/security.txt'
  const outside = localOutside()
  const readFact = async (now = NOW, through = outside) =>
    visibleFacts(await securityTxtProbe(basesAt(site.base)).run(through, aSubject(), now))
      .securityTxt

  beforeEach(async () => {
    site = await playedSite()
  })
  afterEach(async () => {
    await site[Symbol.asyncDispose]()
  })

  test('security.txt is read where the standard has it, with the instant at which it ends', async () => {
    site.text(
      PATH,
      file(CONTACT, 'Expires: 2027-01-01T00:00:00+01:00'),
      'text/plain; charset=utf-8',
    )
    expect(await readFact()).toEqual({
      ...{ url: `${site.base}${PATH}`, status: 'valid', expires: '2026-12-31T23:00:00.000Z' },
    })
    expect(await readFact(NOW + 60 * DAY_MS)).toMatchObject({ status: 'expired' })
  })

  test('a page for people, another type, too many bytes or no file are none', async () => {
    const none = { url: `${site.base}${PATH}`, status: 'none' }
    expect(await readFact()).toEqual(none)
    const whole = file(CONTACT, `Expires: ${LATER}`)
    site.text(PATH, `<html>${whole}`, 'text/html')
    expect(await readFact()).toEqual(none)
    site.text(PATH, whole, 'application/octet-stream')
    expect(await readFact()).toEqual(none)
    site.text(PATH, whole + '#'.repeat(40_000), 'text/plain')
    expect(await readFact()).toEqual(none)
    site.on(PATH, () => endless('text/plain'))
    expect(await readFact()).toEqual(none)
  })

  test('a redirect is followed, and the address that answered is told', async () => {
    site.text('/security.txt', file(CONTACT, `Expires: ${LATER}`), 'text/plain')
    site.on(PATH, () => Response.redirect(`${site.base}/security.txt`, 301))
    expect(await readFact()).toMatchObject({ url: `${site.base}/security.txt`, status: 'valid' })
  })

  test('tools of one vendor ask once', async () => {
    const probe = securityTxtProbe(basesAt(site.base))
    for (const slug of ['a', 'b', 'c']) await probe.run(outside, aSubject({ slug }), NOW + DAY_MS)
    expect(site.paths).toEqual([PATH])
  })

  test('a vendor without a domain is not asked', () => {
    const applies = (url: string) =>
      securityTxtProbe(basesAt('')).appliesTo(aSubject({}, { vendor: { url } }))
    expect([applies('https://acme.example/x'), applies('https://10.0.0.1')]).toEqual([true, false])
    expect([applies('https://[::1]'), applies('https://localhost')]).toEqual([false, false])
  })

  for (const name of [
    'an answer that never comes',
    'a failure',
    'a request for patience',
  ] as const) {
    test(`${name} says nothing`, async () => {
      site.on(PATH, HOSTILE[name] as never)
      expect(await readFact(NOW, towards(name))).toBeUndefined()
    })
  }
  for (const [name, play] of Object.entries(HOSTILE).filter(([name]) =>
    name.includes('redirect'),
  )) {
    test(`${name} says nothing`, async () => {
      site.on(PATH, play)
      expect(await readFact()).toBeUndefined()
    })
  }
})
