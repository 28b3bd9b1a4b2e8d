import { expect, test } from 'bun:test'
import type { AuthoredTool } from '../../../../src/catalog/records/authored.ts'
import { answering, factsOf, listed, NOON, probe, run } from './asking.ts'
import {
  BASE_USDC,
  demandV1,
  demandV2,
  headerOf,
  offerV1,
  offerV2,
  PAYEE,
  paidTool,
  paidVendor,
} from './paid-vendor.ts'

test('reads the terms of version 2 from the header', async () => {
  const { fact } = await answering(() => demandV2([offerV2()]))
  expect(fact).toEqual({
    answer: 'terms',
    status: 402,
    method: 'GET',
    version: 2,
    description: 'Weather of a place',
    offers: [
      {
        ...{ scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: BASE_USDC },
        ...{ payTo: PAYEE, maxTimeoutSeconds: 60, priceUsd: '0.01', symbol: 'USDC' },
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  })
})

test('reads the terms of version 1 from the body, and says its networks as chain ids', async () => {
  const names = { base: 'eip155:8453', solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }
  for (const [name, chain] of Object.entries(names)) {
    const { fact } = await answering(() => demandV1([offerV1({ network: name })]))
    expect(fact).toMatchObject({ answer: 'terms', version: 1, mimeType: 'application/json' })
    expect(fact.offers).toMatchObject([{ network: chain, networkName: name, amount: '10000' }])
  }
  const { fact } = await answering(() => demandV1([offerV1({ network: 'hyperevm' })]))
  expect(fact.offers).toMatchObject([{ network: 'hyperevm', priceUsd: null }])
})

test('prefers version 2 where both are there, and falls back where the header is broken', async () => {
  const both = (header: string) =>
    Response.json(
      { x402Version: 1, error: '', accepts: [offerV1({ maxAmountRequired: '7' })] },
      { status: 402, headers: { 'payment-required': header } },
    )
  const good = headerOf({ x402Version: 2, resource: { url: 'x' }, accepts: [offerV2()] })
  const { fact } = await answering(() => both(good))
  expect(fact).toMatchObject({ version: 2, offers: [{ priceUsd: '0.01' }] })
  for (const broken of ['<b>', Buffer.from('{').toString('base64'), headerOf([1]), '====']) {
    const { fact } = await answering(() => both(broken))
    expect(fact).toMatchObject({ version: 1, offers: [{ priceUsd: '0.000007' }] })
  }
})

test('never sends anything that could pay', async () => {
  const { requests } = await answering((request) =>
    request.method === 'GET' ? new Response('', { status: 405 }) : demandV2([offerV2()]),
  )
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  const names = requests.flatMap(({ headers }) => Object.keys(headers))
  expect(names.filter((name) => /payment|authorization|cookie/i.test(name))).toEqual([])
})

test('asks with POST where GET does not work, and as it worked the next day', async () => {
  await using vendor = paidVendor({
    '/paid': (request) =>
      request.method === 'POST'
        ? demandV2([offerV2()])
        : new Response('', { status: 405, headers: { allow: 'POST, OPTIONS' } }),
    '/read': () => new Response('', { status: 405, headers: { allow: 'DELETE' } }),
    '/documented': (request) =>
      request.method === 'POST' ? demandV2([offerV2()]) : new Response('', { status: 404 }),
  })
  const tool = paidTool([
    listed(`${vendor.url}/paid`),
    listed(`${vendor.url}/read`),
    listed(`${vendor.url}/documented`, { method: 'POST' }),
  ])
  const first = await run(tool)
  expect(factsOf(first).map(({ answer, method }) => [answer, method])).toEqual([
    ['terms', 'POST'],
    ['unreadable', 'GET'],
    ['terms', 'POST'],
  ])
  const requests = () => vendor.requests.splice(0).map(({ method, path }) => `${method} ${path}`)
  expect(requests().sort()).toEqual([
    ...['GET /paid', 'GET /read', 'POST /documented', 'POST /paid'],
  ])
  await run(tool, new Map(first.facts.map(({ subject, value }) => [subject, value])))
  expect(requests().sort()).toEqual(['GET /read', 'POST /documented', 'POST /paid'])
})

test('follows a redirect, and only to where this server may go', async () => {
  await using vendor = paidVendor({
    '/old': () => new Response('', { status: 308, headers: { location: '/new' } }),
    '/new': () => demandV2([offerV2()]),
    '/inside': () =>
      new Response('', { status: 302, headers: { location: 'http://169.254.169.254/keys' } }),
    '/circle': () => new Response('', { status: 302, headers: { location: '/circle' } }),
  })
  const paths = ['/old', '/inside', '/circle']
  const findings = await run(paidTool(paths.map((path) => listed(`${vendor.url}${path}`))))
  expect(factsOf(findings).map(({ answer }) => answer)).toEqual([
    'terms',
    'not-asked',
    'unreadable',
  ])
  expect(vendor.requests.filter(({ path }) => path === '/circle')).toHaveLength(4)
})

test.each([
  [200, 'free'],
  [401, 'locked'],
  [403, 'locked'],
  [404, 'missing'],
  [410, 'missing'],
  [400, 'unreadable'],
  [500, 'silent'],
  [429, 'silent'],
])('an answer with status %i is %s', async (status, answer) => {
  const { fact } = await answering(() => new Response('{}', { status }))
  expect(fact).toMatchObject({ answer, status, offers: [] })
  expect(fact.note).toBeString()
})

test('keeps what was asked for while the address is silent, and says that it is', async () => {
  await using vendor = paidVendor({ '/paid': () => demandV2([offerV2()]) })
  const tool = paidTool([listed(`${vendor.url}/paid`)])
  const first = await run(tool)
  await vendor.stop()
  const memories = new Map(first.facts.map(({ subject, value }) => [subject, value]))
  const second = await run(tool, memories)
  expect(factsOf(second)).toMatchObject([
    { answer: 'silent', status: null, version: 2, offers: [{ priceUsd: '0.01' }] },
  ])
  expect(second.prices).toEqual([])
})

test('a price is told for each chain and coin, and as nothing where it became free', async () => {
  await using vendor = paidVendor({
    '/paid': () => demandV2([offerV2(), offerV2({ scheme: 'upto', amount: '9' })]),
  })
  const url = `${vendor.url}/paid`
  const tool = paidTool([listed(url), listed(url, { network: '' })])
  const first = await run(tool)
  const price = { url, network: 'eip155:8453', asset: BASE_USDC }
  expect(first.prices).toEqual([{ ...price, priceUsd: '0.01' }])
  expect(first.drafts).toBeUndefined()
  expect(first.facts).toHaveLength(1)
  const memories = new Map(first.facts.map(({ subject, value }) => [subject, value]))
  vendor.now('/paid', () => demandV2([offerV2({ amount: '20000' })]))
  const dearer = await run(tool, memories)
  expect(dearer.prices).toEqual([{ ...price, priceUsd: '0.02' }])
  expect(dearer.drafts).toEqual([
    {
      id: 'acme-weather-call-price-2026-11-21-1',
      kind: 'price',
      what: `A call of ${url} costs $0.02; it was $0.01.`,
      source: url,
    },
  ])
  vendor.now('/paid', () => Response.json({ weather: 'fine' }))
  expect((await run(tool, memories)).prices).toEqual([{ ...price, priceUsd: '0' }])
})

test('a paid endpoint is asked once a day, not where it is off, and in turns where there are very many', async () => {
  expect(probe.everyMs).toBe(86_400_000)
  const subject = (tool: AuthoredTool) => ({ tool, vendor: undefined, memories: new Map() })
  const one = [listed('https://vendor.example/paid')]
  expect(probe.appliesTo(subject(paidTool(one)))).toBe(true)
  expect(probe.appliesTo(subject(paidTool(one, { probe: { off: true } })))).toBe(false)
  expect(probe.appliesTo(subject(paidTool([])))).toBe(false)
  await using vendor = paidVendor({})
  const many = Array.from({ length: 250 }, (_, n) => listed(`${vendor.url}/${n}`))
  const days = [0, 1, 2].map((day) => NOON + day * 86_400_000)
  const seen = new Set<string>()
  for (const now of days) {
    const { facts } = await run(paidTool(many), new Map(), now)
    expect(facts.length).toBeLessThanOrEqual(100)
    for (const { subject } of facts) seen.add(subject)
  }
  expect(seen.size).toBe(250)
})
