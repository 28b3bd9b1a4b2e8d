import { cleanLine, isBlank } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { CHANGE_KIND_NAMES } from '../records/change.ts'
import { dateWords } from '../records/date-words.ts'
import type { ToolDetail } from '../records/tool.ts'

const WORDS: Record<string, string> = {
  framework: 'Framework',
  model: 'Model',
  'http-api': 'HTTP API',
  mcp: 'MCP server',
  protocol: 'Protocol',
  platform: 'Platform',
  'api-key': 'API key',
  oauth: 'OAuth',
  mixed: 'Several ways',
  none: 'None',
  unknown: 'Not known',
  free: 'Free',
  usage: 'By use',
  freemium: 'Free tier, then paid',
  library: 'Library',
  hosted: 'Hosted',
  both: 'Library and hosted',
  spec: 'Specification',
  http: 'HTTP',
  'streamable-http': 'Streamable HTTP',
  stdio: 'stdio',
  npm: 'npm',
  pypi: 'PyPI',
  go: 'Go',
  github: 'GitHub',
  ...Object.fromEntries(CHANGE_KIND_NAMES),
  yes: 'Takes x402',
  partial: 'Takes x402 in part',
  no: 'No x402',
  high: 'high',
  medium: 'medium',
  low: 'low',
}

/** A word of the record in plain words; an unknown word unchanged. */
export function wordFor(word: string): string {
  return Object.hasOwn(WORDS, word) ? (WORDS[word] as string) : cleanLine(word).replaceAll('-', ' ')
}

/** The name of the tool on one line, or its slug if the name is invisible. */
export function toolName(tool: Pick<ToolDetail, 'name' | 'slug'>): string {
  const name = cleanLine(tool.name)
  return isBlank(name) ? tool.slug : name
}

export function categoryName({ settings }: Pick<CatalogSnapshot, 'settings'>, id: string): string {
  return settings.categories.find((category) => category.id === id)?.name ?? wordFor(id)
}

/** The price in a few words. */
export function priceOf(tool: Pick<ToolDetail, 'priceSummary' | 'pricing'>): string {
  const summary = cleanLine(tool.priceSummary)
  if (!isBlank(summary)) return summary
  return tool.pricing === 'unknown' ? 'Price not known' : wordFor(tool.pricing)
}

/** The largest context of its models, in tokens; undefined if none is known. */
export function contextOf({ live }: Pick<ToolDetail, 'live'>): number | undefined {
  const sizes = Object.values(live.models ?? {}).flatMap(({ contextTokens: size }) =>
    typeof size === 'number' ? size : [],
  )
  return sizes.length > 0 ? Math.max(...sizes) : undefined
}

/** `2026-11-21` as `21 Nov 2026`; other text unchanged. */
export function dayWords(day: string): string {
  return Number.isNaN(Date.parse(day.slice(0, 10))) ? day : dateWords(day.slice(0, 10))
}

const DAY_MS = 86_400_000

/** Days from `from` to `to`; negative if `to` is earlier. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / DAY_MS)
}

/** How far `day` is from `today`: `in 12 days`, `3 months ago`. */
export function distance(today: string, day: string): string {
  const days = daysBetween(today, day)
  if (Number.isNaN(days)) return ''
  if (days === 0) return 'today'
  const many = spanOf(Math.abs(days))
  return days > 0 ? `in ${many}` : `${many} ago`
}

function spanOf(days: number): string {
  if (days < 60) return plural(days, 'day')
  if (days < 730) return plural(Math.round(days / 30.44), 'month')
  return plural(Math.round(days / 365.25), 'year')
}

const numbers = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

export const number = (value: number): string => numbers.format(value)

export const shortNumber = (value: number): string => short.format(value)

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}

const dollars = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 6 })

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** US dollars with the precision of the value: `$25`, `$0.90`, `$0.003`. */
export function usdPrice(value: number): string {
  if (Number.isInteger(value)) return `$${whole.format(value)}`
  const isInCents = Math.abs(value * 100 - Math.round(value * 100)) < 1e-9
  return `$${(isInCents || value >= 1 ? cents : dollars).format(value)}`
}

/** `1 month` as `month`: a price is for one unit anyway. */
export const unitName = (unit: string): string => cleanLine(unit).replace(/^1 /, '')

/** One decimal, like all scores. */
export const scoreWords = (score: number): string => score.toFixed(1)

const NETWORKS: Record<string, string> = {
  'eip155:8453': 'Base',
  'eip155:84532': 'Base Sepolia',
  'eip155:1': 'Ethereum',
  'eip155:137': 'Polygon',
  'eip155:42161': 'Arbitrum',
  'eip155:43114': 'Avalanche',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
}

/** The name of the chain, if it has one. */
export function networkName(id: string): string {
  if (id === '') return 'Network not stated'
  return NETWORKS[id] ?? id
}
