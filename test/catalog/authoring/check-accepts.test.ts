import { expect, test } from 'bun:test'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SETTINGS = {
  live: true,
  protocol: 'x402',
  version: 2,
  asset: 'USDC',
  networks: ['eip155:8453'],
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  facilitator: 'https://facilitator.example',
  docs: 'https://tools.example/payments',
}

async function problemsOf(own: Record<string, unknown>): Promise<string[]> {
  using folder = tempFolder()
  const catalogAccepts = JSON.stringify({ ...SETTINGS, ...own })
  writeCatalogFolder(folder.path, {
    'catalog.yaml': `name: Tools
attribution: Tools of a test
run: { date: 2026-11-01, label: November }
categories: [{ id: messaging, name: Messaging, area: communication }]
catalogAccepts: ${catalogAccepts}
`,
  })
  const { problems } = await loadFolder(folder.path)
  return problems.map(({ field }) => field)
}

test('whoever takes payments says where to', async () => {
  expect(await problemsOf({})).toEqual([])
  const solana = ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
  const payTo = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
  expect(await problemsOf({ networks: solana, payTo })).toEqual([])
})

test('nothing has to be right while nothing is taken', async () => {
  const nothing = {
    live: false,
    asset: '',
    networks: [],
    payTo: '<PAYEE_ADDRESS>',
    facilitator: '',
  }
  expect(await problemsOf(nothing)).toEqual([])
})

test.each([
  ['payTo', '<PAYEE_ADDRESS>'],
  ['payTo', ''],
  ['payTo', `0x${'0'.repeat(40)}`],
  ['payTo', '0x1234'],
  ['payTo', '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'],
  ['facilitator', ''],
  ['facilitator', 'http://facilitator.example'],
  ['facilitator', 'facilitator'],
  ['asset', ' '],
  ['networks', []],
])('%s cannot be %p then', async (field, value) => {
  expect(await problemsOf({ [field]: value })).toEqual([`catalogAccepts.${field}`])
})

test('networks are chain ids', async () => {
  expect(await problemsOf({ networks: ['base'] })).toContain('catalogAccepts.networks[0]')
})
