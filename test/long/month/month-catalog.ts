import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { METHODOLOGY_TEXT } from '../../../src/catalog/grading/default-methodology.ts'
import { IMPORTERS } from '../../../src/catalog/importers/all-importers.ts'
import { CRITERIA } from '../../../src/catalog/records/grading.ts'
import { importInto } from '../../catalog/importers/import-world.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { isLong } from '../../support/share.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/catalog')
const SETTINGS = `name: A month of tools
attribution: Tools of a test
baseUrl: https://catalog.example
run: { date: 2026-11-01, label: November }
categories: [{ id: messaging, name: Messaging, area: communication }]
`
export const VENDORS = isLong ? 30 : 10
const SERVERS = isLong ? 186 : 16
/** Vendors with an endpoint that is asked every quarter of an hour; the others have pages alone. */
export const ENDPOINTS = isLong ? 12 : 9

export const hostOf = (vendor: number) => `vendor-${vendor}.example`
export const endpointOf = (vendor: number) => `https://mcp.vendor-${vendor}.example/mcp`
/** The first server of each vendor, by the name that its record has. */
export const slugOf = (vendor: number) => `server-${vendor}`

/** Imports what real sources say, and a list of servers whose vendors the test plays. */
export async function writeMonthCatalog(
  folder: string,
  { samples }: { samples: number },
): Promise<{ imported: number }> {
  mkdirSync(folder, { recursive: true })
  const methodology = METHODOLOGY_TEXT.replaceAll('samples: 672', `samples: ${samples}`)
  writeCatalogFolder(folder, { 'catalog.yaml': SETTINGS, 'methodology.yaml': methodology })
  const list = `${folder}.servers.json`
  writeFileSync(
    list,
    JSON.stringify({ servers: Array.from({ length: SERVERS }, (_, i) => server(i)) }),
  )
  const take = async (name: string, source: string, more = {}) => {
    const importer = IMPORTERS.find((one) => one.name === name)
    if (!importer) throw new Error(`no importer ${name}`)
    return await importInto(folder, importer, { source, stubs: true, ...more })
  }
  await take('mcp-registry', join(FIXTURES, 'mcp-registry/seed.json'))
  await take('x402-partners', join(FIXTURES, 'x402-partners'))
  await take('models', join(FIXTURES, 'models'))
  await take('openapi', join(FIXTURES, 'openapi'))
  await take('retirement', join(FIXTURES, 'endoflife'))
  const { catalog } = await take('mcp-registry', list)
  for (let vendor = 0; vendor < VENDORS; vendor++) curate(folder, vendor)
  return { imported: catalog.tools.length }
}

function server(i: number) {
  const vendor = i % VENDORS
  const isFirst = i < ENDPOINTS
  return {
    server: {
      name: `example.vendor-${vendor}/server-${i}`,
      title: `Server ${i}`,
      description: `Server ${i} finds, sends and keeps things for agents.`,
      version: '1.0.0',
      websiteUrl: `https://${hostOf(vendor)}/server-${i}`,
      ...(isFirst ? { remotes: [{ type: 'streamable-http', url: endpointOf(vendor) }] } : {}),
    },
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
  }
}

/** What a curator adds to an import: scores, where the prices stand, terms. */
function curate(folder: string, vendor: number): void {
  const site = `https://${hostOf(vendor)}`
  edit(join(folder, `vendors/vendor-${vendor}.yaml`), { terms: `${site}/terms` })
  const source = { url: `${site}/pricing`, read: '2026-11-20', facts: ['pricing'] }
  const score = { score: 9, reason: 'Read on its pages.', evidence: [`${site}/docs`] }
  edit(join(folder, `tools/${slugOf(vendor)}.yaml`), {
    pricing: 'usage',
    scores: Object.fromEntries(CRITERIA.map((name) => [name, score])),
    assessment: { confidence: 'high', date: '2026-11-20' },
    sources: [source],
  })
}

function edit(path: string, more: object): void {
  writeFileSync(
    path,
    stringify({ ...parse(readFileSync(path, 'utf8')), ...more }, { aliasDuplicateObjects: false }),
  )
}
