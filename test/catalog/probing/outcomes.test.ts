import { expect, test } from 'bun:test'
import { isUp } from '../../../src/catalog/facts/answers/fact.ts'
import { createPoliteFetch } from '../../../src/catalog/probing/polite-fetch.ts'
import { tryTarget } from '../../../src/catalog/probing/round.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { playMcp, type VendorAnswer, vendorServer } from '../../support/vendor-server.ts'
import { quickFetch } from './probe-world.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const RPC_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}'
const html: VendorAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hi' }
const says = (status: number, body = ''): VendorAnswer => ({ status, headers: JSON_TYPE, body })
const leads = (to: string): VendorAnswer => ({ status: 302, headers: { location: to } })

type Row = [answer: VendorAnswer, method: string, outcome: string, unknown?: string]

const ROWS: Record<string, Row> = {
  'a page': [html, 'GET', 'open'],
  'a request it does not like': [says(422), 'POST', 'open'],
  'a demand for credentials': [says(401), 'GET', 'gated'],
  'a demand for payment': [says(402), 'HEAD', 'gated'],
  'a refusal of who we are': [says(403), 'GET', 'gated'],
  'another method': [says(405), 'GET', 'wrong-transport'],
  'an address that is not there': [says(404), 'GET', 'unknown', 'not-found'],
  'a request that came too slowly': [says(408), 'GET', 'unknown', 'unclear-answer'],
  'a refusal for legal reasons': [says(451), 'GET', 'unknown', 'unclear-answer'],
  'a status that does not exist': [says(799), 'GET', 'unknown', 'unclear-answer'],
  'an address that is gone': [says(410), 'GET', 'dead'],
  'too many requests': [says(429), 'GET', 'unknown', 'rate-limited'],
  'an error of the server': [says(500), 'GET', 'dead'],
  'a connection that breaks': ['reset', 'GET', 'dead'],
  'no answer': ['hang', 'GET', 'dead'],
  'a head that never ends': ['drip', 'GET', 'dead'],
  'a body that never ends': [{ status: 200, ends: 'never' }, 'GET', 'open'],
  'a body that stops': [{ status: 200, ends: 'silence' }, 'GET', 'open'],
  'a redirect into a private network': [
    leads('http://10.0.0.1/'),
    'GET',
    'unknown',
    'private-address',
  ],
  'a redirect to the metadata of a cloud': [
    leads('http://169.254.169.254/'),
    'GET',
    'unknown',
    'private-address',
  ],
  'a redirect to another scheme': [
    leads('file:///etc/passwd'),
    'GET',
    'unknown',
    'address-not-allowed',
  ],
  'a redirect to itself': [leads('/it'), 'GET', 'unknown', 'unclear-answer'],
  'MCP: an error without a session': [says(400, RPC_ERROR), 'mcp', 'open'],
  'MCP: a page': [html, 'mcp', 'not-mcp', 'not-mcp'],
  'MCP: JSON that is none': [says(200, '{"jsonrpc":"2.0",'), 'mcp', 'not-mcp', 'not-mcp'],
  'MCP: JSON of something else': [
    says(200, '[1, null, {"jsonrpc": 2}]'),
    'mcp',
    'not-mcp',
    'not-mcp',
  ],
  'MCP: text instead of JSON': [says(400, 'Session missing'), 'mcp', 'wrong-transport'],
  'MCP: only GET': [says(405), 'mcp', 'wrong-transport'],
  'MCP: nothing there': [says(404), 'mcp', 'not-mcp', 'not-found'],
  'MCP: credentials': [says(401, RPC_ERROR), 'mcp', 'gated'],
  'MCP: events without an answer': ['events', 'mcp', 'not-mcp', 'not-mcp'],
  'MCP: too many requests': [says(429), 'mcp', 'unknown', 'rate-limited'],
  'MCP: an error of the server': [says(502), 'mcp', 'dead'],
}

for (const [name, [answer, method, outcome, unknown]] of Object.entries(ROWS)) {
  test(`${name} is ${outcome}`, async () => {
    await using vendor = await vendorServer()
    vendor.on('/it', answer)
    const tried = await tryTarget(oneTime(), { target: `${vendor.origin}/it`, method })
    expect(tried.outcome).toBe(outcome as typeof tried.outcome)
    expect(tried.authRequired).toBe(outcome === 'gated')
    expect(tried.unknown).toBe(unknown as typeof tried.unknown)
    expect(isUp(tried.outcome) === undefined).toBe(unknown !== undefined)
  })
}

test('a redirect is followed to what stands at its end', async () => {
  await using vendor = await vendorServer()
  vendor.on('/it', { status: 308, headers: { location: '/mcp/' } })
  vendor.on('/mcp/', playMcp([]))
  const tried = await tryTarget(oneTime(), { target: `${vendor.origin}/it`, method: 'mcp' })
  expect(tried).toMatchObject({ outcome: 'open', status: 200 })
})

test('nothing on loopback is asked unless it is allowed to be', async () => {
  await using vendor = await vendorServer()
  vendor.on('/it', html)
  const guarded = { outside: polite(quickFetch([])) }
  const tried = await tryTarget(guarded, { target: `${vendor.origin}/it`, method: 'GET' })
  expect(tried).toMatchObject({ outcome: 'unknown', status: null, ms: null })
  expect(vendor.requests).toEqual([])
})

function oneTime() {
  return { outside: polite(quickFetch()) }
}

function polite(fetch: ReturnType<typeof quickFetch>) {
  return createPoliteFetch({
    fetch,
    clock: systemClock,
    baseUrl: () => 'https://b.example',
    pauseMs: 1,
  })
}
