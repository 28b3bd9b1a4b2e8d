import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import type { AuthoredTool, AuthoredVendor } from '../../src/catalog/records/authored.ts'
import { generatedCatalog } from './generated-catalog.ts'

// Shares of all tools, as in public collections of API descriptions; the rest is of small vendors.
const COMPANIES = [0.4, 0.15, 0.08, 0.05]
const OF_A_SMALL_VENDOR = 3
const CATEGORIES = 40
const FILLER =
  'The interface lists, creates, changes and removes what an account holds, page by page, and names every field of a request that it refuses. '

/**
 * A catalog as imports of whole collections make it: a few companies with very many tools, and
 * records of about 5 KiB in the listing.
 */
export function companyCatalog(size: number): CatalogSource {
  const base = generatedCatalog(size)
  const owners = base.tools.map((_, i) => ownerOf(i, size))
  return {
    ...base,
    settings: {
      ...base.settings,
      categories: Array.from({ length: CATEGORIES }, (_, i) => ({
        id: `category-${i}`,
        name: `Category ${i}`,
        area: `area-${i % 6}`,
      })),
    },
    vendors: [...new Set(owners)].map(vendor),
    tools: base.tools.map((tool, i) => withLongTexts(tool, owners[i] ?? '', i)),
  }
}

/** Companies take turns, so that neighbours in the alphabet are of different ones. */
function ownerOf(i: number, size: number): string {
  const place = ((i * 7_919) % size) / size
  let from = 0
  for (const [n, share] of COMPANIES.entries()) {
    from += share
    if (place < from) return `company-${n}`
  }
  return `vendor-${Math.floor(i / OF_A_SMALL_VENDOR)}`
}

function vendor(id: string): AuthoredVendor {
  const domain = `${id}.example`
  return {
    id,
    name: id,
    url: `https://${domain}`,
    legalEntity: `${id} Ltd`,
    domain,
    terms: `https://${domain}/terms`,
    privacy: `https://${domain}/privacy`,
    statusPage: `https://status.${domain}`,
    checked: '2026-10-01',
  }
}

function withLongTexts(tool: AuthoredTool, owner: string, i: number): AuthoredTool {
  const sentence = (n: number) => `${FILLER}It is the remark ${n} on the tool ${i}.`
  const sentences = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => sentence(from + n))
  return {
    ...tool,
    name: `${owner} ${tool.name}`,
    vendor: owner,
    category: `category-${(i * 31) % CATEGORIES}`,
    summary: sentence(0),
    authNotes: sentence(1),
    pricingNotes: sentence(2),
    strengths: sentences(3, 3),
    weaknesses: sentences(6, 2),
    details: [
      { label: 'Regions', value: 'EU, US' },
      { label: 'Limits', value: sentence(8) },
    ],
    text: { verdict: sentence(9), notes: sentences(10, 2), agentNotes: sentences(12, 3) },
  }
}
