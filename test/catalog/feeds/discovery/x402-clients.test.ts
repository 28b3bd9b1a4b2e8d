import { afterAll, expect, test } from 'bun:test'
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { parsePaymentRequired, parsePaymentRequirements } from '@x402/core/schemas'
import { withBazaar } from '@x402/extensions/bazaar'
import {
  BASE_USDC,
  demandV1,
  demandV2,
  offerV1,
  offerV2,
  PAYEE,
  paidTool,
  paidVendor,
} from '../../facts/x402/paid-vendor.ts'
import { x402World } from './x402-world.ts'

const vendor = paidVendor({
  '/v2': () => demandV2([offerV2(), offerV2({ network: 'eip155:84532', asset: '0x1' })]),
  '/v1': () => demandV1([offerV1({ maxAmountRequired: '2500' })]),
  '/post': (request) =>
    request.method === 'POST' ? demandV2([offerV2()]) : new Response('', { status: 405 }),
  '/free': () => Response.json({ weather: 'fine' }),
})
const listed = (path: string, own = {}) => ({
  ...{ url: `${vendor.url}${path}`, priceUsd: 0.01, network: 'eip155:8453' },
  ...own,
})
const world = await x402World([
  paidTool([listed('/v2'), listed('/v1'), listed('/post')], { tags: ['weather', 'größe'] }),
  paidTool([listed('/free'), listed('/gone')], {
    ...{ slug: 'other', name: 'Ünders', summary: 'Maps of places.' },
  }),
  paidTool([], { slug: 'none', x402: { level: 'no' } }),
])
const client = withBazaar(new HTTPFacilitatorClient({ url: world.url }))
const { bazaar } = client.extensions

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop()
})

test('before anything was asked the client finds every address, without terms', async () => {
  const { items, pagination } = await bazaar.listResources()
  expect(pagination).toEqual({ limit: 20, offset: 0, total: 5 })
  expect(items.map(({ accepts }) => accepts)).toEqual([[], [], [], [], []])
})

test('the published client lists what was asked for, in the version that each address speaks', async () => {
  await world.nextDay()
  const { x402Version, items, pagination } = await bazaar.listResources({ type: 'http' })
  expect(x402Version).toBe(2)
  expect(pagination.total).toBe(3)
  const listings = items.map(({ resource, x402Version, accepts }) => [
    new URL(resource).pathname,
    x402Version,
    accepts.length,
  ])
  expect(listings).toEqual([
    ['/v2', 2, 2],
    ['/v1', 1, 1],
    ['/post', 2, 1],
  ])
  const offers = items.flatMap(({ accepts }) => accepts)
  expect(offers.map((offer) => parsePaymentRequirements(offer).success)).toEqual(
    offers.map(() => true),
  )
  expect(offers[0] as unknown).toEqual(offerV2())
  expect(offers[2] as unknown).toMatchObject({
    ...{ network: 'base', maxAmountRequired: '2500', resource: `${vendor.url}/v1` },
    ...{ description: 'Weather of a place', mimeType: 'application/json' },
  })
  expect(items[0]).toMatchObject({
    ...{ type: 'http', lastUpdated: '2026-11-21T08:00:00.000Z', tags: ['weather'] },
    ...{ serviceName: 'Acme weather', description: 'Weather of a place' },
  })
  for (const { lastUpdated } of items) expect(Number.isNaN(Date.parse(lastUpdated))).toBe(false)
})

test('what it lists leads to a demand for payment that the client understands', async () => {
  const { items } = await bazaar.listResources()
  const http = new x402HTTPClient(new x402Client())
  for (const { resource, accepts, x402Version } of items) {
    const method = resource.endsWith('/post') ? 'POST' : 'GET'
    const response = await fetch(resource, { method })
    expect(response.status).toBe(402)
    const body = await response.json()
    const demand = http.getPaymentRequiredResponse((name) => response.headers.get(name), body)
    expect(parsePaymentRequired(demand).success).toBe(true)
    expect(demand.x402Version).toBe(x402Version)
    // What the catalog says is what the address asks for.
    const terms = demand.accepts[0] as unknown as Record<string, unknown>
    const listing = accepts[0] as unknown as Record<string, unknown>
    for (const field of ['scheme', 'network', 'asset', 'payTo', 'amount', 'maxAmountRequired']) {
      expect([field, listing[field]]).toEqual([field, terms[field]])
    }
  }
  const paying = vendor.requests.flatMap(({ headers }) => Object.keys(headers))
  expect(paying.filter((name) => name.includes('payment'))).toEqual([])
})

test('the client pages and filters', async () => {
  const pathsOf = async (params: Parameters<typeof bazaar.listResources>[0]) =>
    (await bazaar.listResources(params)).items.map(({ resource }) => new URL(resource).pathname)
  expect(await pathsOf({ limit: 2 })).toEqual(['/v2', '/v1'])
  expect(await pathsOf({ limit: 2, offset: 2 })).toEqual(['/post'])
  expect(await pathsOf({ offset: 900 })).toEqual([])
  expect(await pathsOf({ network: 'eip155:84532' })).toEqual(['/v2'])
  expect(await pathsOf({ network: 'base' })).toEqual(['/v1'])
  expect(await pathsOf({ network: 'eip155:8453' })).toEqual(['/v2', '/v1', '/post'])
  expect(await pathsOf({ scheme: 'upto' })).toEqual([])
  expect(await pathsOf({ scheme: 'exact', payTo: PAYEE.toLowerCase() })).toHaveLength(3)
  expect(await pathsOf({ payTo: BASE_USDC })).toEqual([])
  expect(await pathsOf({ type: 'mcp' })).toEqual([])
  expect(await pathsOf({ extensions: 'bazaar' })).toEqual([])
  const thousand = await bazaar.listResources({ limit: 1000 })
  expect(thousand.pagination.limit).toBe(100)
  const provider = await world.json('/discovery/resources?metadata[provider]=ACME&x402Version=1')
  expect(provider.pagination.total).toBe(1)
})

test('the client searches', async () => {
  const { resources, partialResults } = await bazaar.search({ query: 'WEATHER acme', limit: 2 })
  expect(resources).toHaveLength(2)
  expect(partialResults).toBe(true)
  expect((await bazaar.search({ query: 'maps' })).resources).toEqual([])
})

test('a client that asks for what there is not is told so', async () => {
  expect(bazaar.listResources({ limit: 0 })).rejects.toThrow('400')
  const wrong = [
    'limit=-1',
    'limit=x',
    'offset=1e9',
    'a=1',
    'limit=1&limit=2',
    `type=${'x'.repeat(300)}`,
  ]
  for (const query of wrong) {
    const response = await fetch(`${world.url}/discovery/resources?${query}`)
    expect([query, response.status]).toEqual([query, 400])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  }
})
