import { isDay } from '../../record/words.ts'
import type { fieldReader } from '../fields.ts'
import type { ToolFacts } from '../importer.ts'
import type { Provider } from './provider.ts'

type Reader = ReturnType<typeof fieldReader>
type Of = { id: string; by: Provider; url: string }

const PRICES: Record<string, string> = {
  input: 'input tokens',
  output: 'output tokens',
  cache_read: 'cached input tokens',
  cache_write: 'tokens written to the cache',
  reasoning: 'reasoning tokens',
  input_audio: 'audio input tokens',
  output_audio: 'audio output tokens',
}
const FLAGS: Record<string, string> = {
  tool_call: 'tool-calls',
  reasoning: 'reasoning',
  structured_output: 'structured-output',
  attachment: 'attachments',
  open_weights: 'open-weights',
}

/** What the catalog can hold of a model: prices for a million tokens, limits, what it can do. */
export function modelFacts(read: Reader, { id, by, url }: Of): ToolFacts {
  const cost = read.object('cost')
  const unitPrices = pricesOf(cost, url, read)
  const released = read.text('release_date')
  const tags = Object.keys(FLAGS).filter((field) => read.flag(field) === true)
  const status = read.text('status')
  const all = [...tags.map((field) => FLAGS[field] as string), ...(status ? [status] : [])]
  const details = detailsOf(read)
  return {
    name: read.text('name') ?? id,
    summary: `Model ${id} as ${by.name} serves it.`,
    ...(by.docs ? { docsUrl: by.docs } : {}),
    ...(by.api ? { transports: ['http'] } : {}),
    ...(by.needsKey ? { auth: 'api-key' } : {}),
    ...(unitPrices.length > 0 ? { unitPrices, pricing: pricingOf(unitPrices) } : {}),
    ...(all.length > 0 ? { tags: all } : {}),
    ...(details.length > 0 ? { details } : {}),
    ...(released && isDay(released) ? { lastRelease: released } : {}),
  }
}

type Price = NonNullable<ToolFacts['unitPrices']>[number]

function pricesOf(cost: Record<string, unknown> | undefined, source: string, read: Reader) {
  const prices: Price[] = []
  for (const [field, item] of Object.entries(PRICES)) {
    const usd = cost?.[field]
    if (usd === undefined) continue
    if (typeof usd === 'number' && usd >= 0) prices.push({ item, unit: '1M tokens', usd, source })
    else read.wrong(`cost.${field}`, 'a number of at least 0', usd)
  }
  return prices
}

function pricingOf(prices: readonly Price[]): string {
  return prices.every(({ usd }) => usd === 0) ? 'free' : 'usage'
}

function detailsOf(read: Reader) {
  const limit = read.object('limit')
  const modalities = read.object('modalities')
  const details: NonNullable<ToolFacts['details']> = []
  const add = (label: string, value: unknown) => {
    if (typeof value === 'string' && value !== '') details.push({ label, value })
  }
  add('Context window', tokens(limit?.context))
  add('Longest output', tokens(limit?.output))
  add('Input', words(modalities?.input))
  add('Output', words(modalities?.output))
  add('Knowledge until', read.text('knowledge'))
  return details
}

function tokens(value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return undefined
  return `${value.toLocaleString('en-US')} tokens`
}

function words(value: unknown): string {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string').join(', ') : ''
}
