import { isObject } from '../fields.ts'
import type { ToolFacts } from '../importer.ts'

// Facts alone: no grade, no score, no opinion, and nothing that was measured.
const TEXTS = [
  'summary',
  'repo',
  'docsUrl',
  'llmsTxt',
  'openapi',
  'rateLimitsUrl',
  'remoteUrl',
  'registryName',
  'license',
  'auth',
  'authNotes',
  'pricing',
  'pricingNotes',
  'priceSummary',
  'where',
  'lastRelease',
  'kind',
  'category',
]
const LISTS = ['transports', 'packages', 'capabilities', 'tags']

/** The facts of a record of another catalog; empty ones are left out. */
export function recordFacts(entry: Record<string, unknown>, name: string, url: string): ToolFacts {
  const facts: Record<string, unknown> = { name }
  for (const field of TEXTS) {
    const value = entry[field]
    if (value !== '' && value !== null && value !== 'unknown') facts[field] = value
  }
  for (const field of LISTS) {
    const value = entry[field]
    if (!Array.isArray(value) || value.length > 0) facts[field] = value
  }
  if (typeof entry.toolCount === 'number') facts.toolCount = entry.toolCount
  const x402 = x402Of(entry.x402, url)
  if (x402) facts.x402 = x402
  if (Array.isArray(entry.unitPrices) && entry.unitPrices.length > 0) {
    facts.unitPrices = entry.unitPrices.map((it) => (isObject(it) ? { source: url, ...it } : it))
  }
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as ToolFacts
}

/** A level other than "no" needs what shows it, and a price a source: the record that said so. */
function x402Of(value: unknown, url: string): unknown {
  if (!isObject(value) || value.level === 'no') return undefined
  const { level, evidence, endpoints } = value
  const list = Array.isArray(endpoints) && endpoints.length > 0 ? { endpoints } : {}
  return { level, evidence: evidence || 'As another catalog says.', source: url, ...list }
}
