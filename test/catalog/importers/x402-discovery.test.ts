import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { X402_DISCOVERY } from '../../../src/catalog/importers/x402/discovery.ts'
import { X402_PARTNERS } from '../../../src/catalog/importers/x402/partners.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { importInto } from './import-world.ts'
import { randomFrom } from './random-from.ts'

const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const USDC_ON_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const PAYEE = '0x1111111111111111111111111111111111111111'

let temp: ReturnType<typeof tempFolder>
let folder: string
beforeEach(() => {
  temp = tempFolder()
  folder = temp.path
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

const offer = (more: object) => ({
  ...{ scheme: 'exact', network: 'base', asset: USDC_ON_BASE, payTo: PAYEE },
  ...{ maxTimeoutSeconds: 60, ...more },
})
const one = (resource: string, ...accepts: object[]) => ({
  ...{ resource, type: 'http', x402Version: 1, accepts },
})
const two = (resource: string, ...accepts: object[]) => ({
  ...{ resource, type: 'http', x402Version: 2, accepts },
})

/** A list of resources, a hundred at a time. */
function list(items: unknown[], page = (offset: number) => items.slice(offset, offset + 100)) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const offset = Number(new URL(request.url).searchParams.get('offset'))
      const pagination = { limit: 100, offset, total: items.length }
      return Response.json({ x402Version: 1, items: page(offset), pagination })
    },
  })
  const url = `http://127.0.0.1:${server.port}/discovery/resources`
  return { url, [Symbol.dispose]: () => void server.stop(true) }
}

const from = (source: string) => importInto(folder, X402_DISCOVERY, { source })

test('a list becomes one record a host, with the lowest price of each address and network', async () => {
  using served = list([
    one('https://api.weather.com/now', offer({ maxAmountRequired: '10000' })),
    two(
      'https://api.weather.com/week',
      offer({ network: 'eip155:8453', amount: '50000' }),
      offer({ network: 'eip155:8453', amount: '20000' }),
      offer({ network: 'eip155:84532', asset: USDC_ON_BASE_SEPOLIA, amount: '10' }),
      offer({ network: 'eip155:1', asset: PAYEE, amount: '7' }),
    ),
    one('https://images.com/draw', offer({ maxAmountRequired: '1000' })),
  ])
  const { catalog } = await from(served.url)
  expect(catalog.tools.map(({ slug }) => slug)).toEqual(['images', 'weather'])
  const weather = catalog.tools[1]
  expect(weather).toMatchObject({ name: 'api.weather.com', vendor: 'weather', pricing: 'usage' })
  expect(weather?.x402).toMatchObject({ level: 'yes', source: served.url })
  expect(weather?.x402?.endpoints).toEqual([
    { url: 'https://api.weather.com/now', priceUsd: 0.01, network: 'eip155:8453' },
    // Neither an unknown coin nor the money of a test network is a dollar.
    { url: 'https://api.weather.com/week', priceUsd: null, network: 'eip155:1' },
    { url: 'https://api.weather.com/week', priceUsd: 0.02, network: 'eip155:8453' },
    { url: 'https://api.weather.com/week', priceUsd: null, network: 'eip155:84532' },
  ])
  expect((await from(served.url)).files).toEqual([])
})

test('a long list is read page by page', async () => {
  const items = Array.from({ length: 250 }, (_, i) =>
    one(`https://api.weather.com/${i}`, offer({ maxAmountRequired: '1' })),
  )
  using served = list(items)
  const { catalog } = await from(served.url)
  expect(catalog.tools[0]?.x402?.endpoints).toHaveLength(100)
  expect(catalog.tools[0]?.x402?.evidence).toContain('250 paid addresses')
})

test('a list that begins again for ever is refused', async () => {
  const items = Array.from({ length: 300 }, () => one('https://a.com/x'))
  using served = list(items, () => items.slice(0, 100))
  await expect(from(served.url)).rejects.toThrow('form a loop')
})

test('an entry that is wrong is named with its number and field', async () => {
  using served = list([
    'nothing',
    one('javascript:alert(1)', offer({ maxAmountRequired: '1' })),
    one('https://a.com/x', offer({ maxAmountRequired: 'a lot' })),
    { resource: 'https://a.com/y', accepts: 'all' },
    one('https://127.0.0.1/x', offer({ maxAmountRequired: '1' })),
  ])
  const { report, catalog } = await from(served.url)
  expect(report.wrong.map(({ record, field }) => `${record} ${field}`)).toEqual([
    ...['1 ', '2 resource', '3 accepts[0]', '4 accepts'],
  ])
  // Nothing shows what it takes.
  expect(catalog.tools).toEqual([])
  expect(report.skipped.map(({ record }) => record)).toEqual(['a.com', '127.0.0.1'])
})

test('each host is a record, one without an offer is named, and a file is nobody’s list', async () => {
  const price = offer({ maxAmountRequired: '1000' })
  const items = [
    one('https://api.fence.dev/quote', price),
    one('https://data.fence.dev/news', price),
    one('https://fence.dev/x', price),
    one('https://empty.fence.dev/'),
  ]
  const file = join(folder, 'list.json')
  writeFileSync(file, JSON.stringify({ x402Version: 1, items }))
  const { catalog, report } = await from(file)
  expect(catalog.tools.map(({ name }) => name).sort()).toEqual([
    ...['api.fence.dev', 'data.fence.dev', 'fence.dev'],
  ])
  expect(report.skipped.map(({ record }) => record)).toEqual(['empty.fence.dev'])
  for (const { x402 } of catalog.tools) {
    expect(x402).toMatchObject({ source: 'file:list.json', level: 'yes' })
    expect(x402?.evidence).toContain('by list.json')
  }
  expect((await from(file)).files).toEqual([])
})

test('no description of a partner makes a level, whatever it says of payments', async () => {
  const random = randomFrom(5)
  const words = [
    'x402',
    'wallet',
    'accepts',
    'paid',
    'via',
    'all calls',
    'SDK',
    'monitor',
    'micropayments',
    'for',
    'APIs',
    'endpoints',
    'facilitator',
  ]
  const kinds = [
    'Facilitators',
    'Infrastructure & Tooling',
    'Client-Side Integrations',
    'Web3 Application & Infrastructure',
  ]
  const partners = join(folder, 'partners')
  mkdirSync(partners)
  for (let i = 0; i < 60; i++) {
    const description = Array.from({ length: 8 }, () => random.of(words)).join(' ')
    const about = {
      name: `P${i}`,
      category: random.of(kinds),
      description,
      websiteUrl: `https://p${i}.dev`,
    }
    writeFileSync(join(partners, `p${i}.json`), JSON.stringify(about))
  }
  const { catalog } = await importInto(folder, X402_PARTNERS, { source: partners })
  expect(catalog.tools).toHaveLength(60)
  expect(catalog.tools.filter(({ x402, pricing }) => x402 || pricing !== 'unknown')).toEqual([])
})
