import type { fieldReader } from '../fields.ts'
import { isObject } from '../fields.ts'
import type { ToolFacts } from '../importer.ts'

type Reader = ReturnType<typeof fieldReader>
type Price = NonNullable<ToolFacts['unitPrices']>[number]

const PRICES: Readonly<Record<string, string>> = {
  input: 'input tokens',
  output: 'output tokens',
  cache_read: 'cached input tokens',
  cache_input: 'cached input tokens',
  cached_input: 'cached input tokens',
  cache_write: 'tokens written to the cache',
  cached_write: 'tokens written to the cache',
  reasoning: 'reasoning tokens',
  input_audio: 'audio input tokens',
  output_audio: 'audio output tokens',
}
const UNIT = '1M tokens'
// Plans, trials and programs of one's own machine have such prices, too.
const ZERO = 'Per token; a plan or a machine that must be paid is not stated there.'

/** The prices of a model, with those of long contexts. What is not understood is reported. */
export function pricesOf(
  cost: Record<string, unknown> | undefined,
  source: string,
  read: Reader,
): Price[] {
  const { tiers, ...flat } = cost ?? {}
  const prices = inTable(flat, { at: 'cost', source, read })
  if (tiers !== undefined && !Array.isArray(tiers)) read.wrong('cost.tiers', 'a list', tiers)
  for (const [i, it] of (Array.isArray(tiers) ? tiers : []).entries()) {
    const at = `cost.tiers[${i}]`
    const { tier, ...own } = isObject(it) ? it : {}
    const size = isObject(tier) ? tier.size : undefined
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
      read.wrong(`${at}.tier.size`, 'a number of tokens', size)
      continue
    }
    const note = `For more than ${size.toLocaleString('en-US')} tokens of context.`
    prices.push(...inTable(own, { at, source, read, note }))
  }
  return prices
}

type Table = { at: string; source: string; read: Reader; note?: string }

function inTable(table: Record<string, unknown>, { at, source, read, note }: Table): Price[] {
  return Object.entries(table).flatMap(([field, usd]) => {
    const item = Object.hasOwn(PRICES, field) ? PRICES[field] : undefined
    if (item === undefined) {
      read.wrong(`${at}.${field}`, `one of ${Object.keys(PRICES).join(', ')}`, usd)
      return []
    }
    if (typeof usd !== 'number' || !(usd >= 0) || !Number.isFinite(usd)) {
      read.wrong(`${at}.${field}`, 'a number of at least 0', usd)
      return []
    }
    const remark = note ?? (usd === 0 ? ZERO : undefined)
    return [{ item, unit: UNIT, usd, ...(remark ? { note: remark } : {}), source }]
  })
}

/** `usage` where tokens cost something; that none does is not known to be free. */
export function pricingOf(prices: readonly Price[]): string | undefined {
  return prices.some(({ usd }) => usd > 0) ? 'usage' : undefined
}
