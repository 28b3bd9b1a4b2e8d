import { afterAll, beforeAll, expect, test } from 'bun:test'
import { certificateProbe } from '../../../src/catalog/facts/certificate.ts'
import type { Findings, ProbeNetwork } from '../../../src/catalog/facts/fact.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { aSubject, DAY_MS, HOUR_MS, NOW, visibleFacts } from './subjects.ts'

const TLS = `${import.meta.dir}/../../fixtures/tls`
const NAME = 'push.example.test'
let valid: Bun.Server<undefined>
let expired: Bun.Server<undefined>
let outside: ProbeNetwork

beforeAll(async () => {
  const serve = (cert: string, key: string) =>
    Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 405 }) },
      tls: { key: Bun.file(`${TLS}/${key}.pem`), cert: Bun.file(`${TLS}/${cert}.pem`) },
    })
  valid = serve('cert', 'key')
  expired = serve('expired-cert', 'expired-key')
  const ca = await Bun.file(`${TLS}/cert.pem`).text()
  const resolve = async () => ['127.0.0.1']
  outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'], resolve, ca })
})
afterAll(async () => {
  await valid.stop(true)
  await expired.stop(true)
})

const at = (server: Bun.Server<undefined>) => `https://${NAME}:${server.port}/`
const look = (url: string, now: number, before: Findings = { facts: [] }) =>
  certificateProbe().run(
    outside,
    aSubject({ remoteUrl: `${url}mcp` }, { facts: before.facts }),
    now,
  )

test('a certificate that holds is valid, whatever the answer', async () => {
  const url = at(valid)
  expect(visibleFacts(await look(url, NOW))).toEqual({ certificate: { url, status: 'valid' } })
})

test('one that has expired is said to have when it was seen twice, hours apart', async () => {
  const url = at(expired)
  const first = await look(url, NOW)
  expect(visibleFacts(first)).toEqual({})
  const soon = await look(url, NOW + 60_000, first)
  expect(visibleFacts(soon)).toEqual({})
  const second = await look(url, NOW + 12 * HOUR_MS, soon)
  const since = new Date(NOW).toISOString()
  expect(visibleFacts(second)).toEqual({ certificate: { url, status: 'expired', since } })
  const third = await look(url, NOW + DAY_MS, second)
  expect(visibleFacts(third)).toEqual(visibleFacts(second))
})

test('one that was renewed is valid at once, and begins anew', async () => {
  const facts = [{ subject: 'memory certificate', value: { url: at(valid), since: 'x' } }]
  const renewed = await look(at(valid), NOW, { facts })
  expect(visibleFacts(renewed)).toMatchObject({ certificate: { status: 'valid' } })
  expect(visibleFacts(await look(at(expired), NOW + DAY_MS, renewed))).toEqual({})
})

test('another name, an unknown issuer and a closed door say nothing of its end', async () => {
  expect(await look(`https://other.example.test:${valid.port}/`, NOW)).toEqual({ facts: [] })
  expect(await look('https://push.example.test:1/', NOW)).toEqual({ facts: [] })
})

test('only addresses with a certificate are looked at', () => {
  const applies = (remoteUrl: string) => certificateProbe().appliesTo(aSubject({ remoteUrl }))
  expect([applies('https://a.example/mcp'), applies('http://a.example/mcp')]).toEqual([true, false])
  expect(certificateProbe().appliesTo(aSubject())).toBe(false)
})
