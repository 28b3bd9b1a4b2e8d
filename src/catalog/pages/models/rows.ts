import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { changesByTool } from '../../feeds/changes-by-tool.ts'
import { byText } from '../../feeds/listing-order.ts'
import { endedBy } from '../../records/grading.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { contextOf, toolName } from '../words.ts'

/** A model by what people choose by; undefined: not known. Prices are US dollars per 1M tokens. */
export type ModelRow = {
  tool: ToolDetail
  input: number | undefined
  output: number | undefined
  cached: number | undefined
  context: number | undefined
  /** Kinds of content that it takes and gives. */
  takes: string | undefined
  gives: string | undefined
  /** Until when its knowledge goes: a year, month or day. */
  knowledge: string | undefined
  /** The day on which it ended or ends. */
  ends: string | undefined
  /** Of the calls in question. */
  cost: number | undefined
}

/** The size and number of calls; tokens a call. */
export type CallSize = { calls: number; input: number; cached: number; output: number }

export const MODEL_SORTS = [
  ...['name', 'input', 'output', 'cached', 'context', 'takes'],
  ...['knowledge', 'ends', 'cost'],
] as const
export type ModelSort = 'name' | Exclude<keyof ModelRow, 'tool' | 'gives'>

const UNIT = '1M tokens'
// Prices above a size of context come with this note.
const TIER = /^For more than /

/** Every record of a model, sorted; what is not known comes last, and equal ones by name. */
export function modelRows(snapshot: CatalogSnapshot, sort: ModelSort, size: CallSize): ModelRow[] {
  const rows = snapshot.tools
    .filter(({ kind }) => kind === 'model')
    .map((tool) => rowOf(snapshot, tool, size))
  const byName = (a: ModelRow, b: ModelRow) => byText(toolName(a.tool), toolName(b.tool))
  if (sort === 'name') return rows.sort(byName)
  const direction = sort === 'context' || sort === 'knowledge' ? -1 : 1
  return rows.sort((a, b) => {
    const [one, other] = [a[sort], b[sort]]
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined) || byName(a, b)
    }
    if (one === other) return byName(a, b)
    return one < other ? -direction : direction
  })
}

function rowOf(snapshot: CatalogSnapshot, tool: ToolDetail, size: CallSize): ModelRow {
  const prices = {
    input: priceOf(tool, 'input tokens'),
    output: priceOf(tool, 'output tokens'),
    cached: priceOf(tool, 'cached input tokens'),
  }
  const models = Object.values(tool.live.models ?? {})
  const texts = (key: string) =>
    models.flatMap((model) => (typeof model[key] === 'string' ? [model[key] as string] : []))
  return {
    tool,
    ...prices,
    context: contextOf(tool),
    takes: unionOf(texts('input')),
    gives: unionOf(texts('output')),
    knowledge: texts('knowledge').sort().at(-1),
    ends: endOf(snapshot, tool),
    cost: costOf(prices, size),
  }
}

function priceOf({ unitPrices }: ToolDetail, item: string): number | undefined {
  return unitPrices.find(
    (price) =>
      price.item.toLowerCase() === item && price.unit === UNIT && !TIER.test(price.note ?? ''),
  )?.usd
}

/** Undefined if the price of tokens that the calls use is not known. */
export function costOf(
  prices: Pick<ModelRow, 'input' | 'output' | 'cached'>,
  size: CallSize,
): number | undefined {
  let sum = 0
  for (const part of ['input', 'cached', 'output'] as const) {
    if (size[part] === 0) continue
    const price = prices[part]
    if (price === undefined) return undefined
    sum += (price * size[part]) / 1_000_000
  }
  return sum * size.calls
}

function unionOf(lists: readonly string[]): string | undefined {
  const words = new Set(lists.flatMap((list) => list.split(', ')))
  return words.size === 0 ? undefined : [...words].sort().join(', ')
}

function endOf(snapshot: CatalogSnapshot, tool: ToolDetail): string | undefined {
  const ended = endedBy(tool.catalog)?.date
  if (ended !== undefined) return ended
  const own = changesByTool(snapshot).get(tool.slug) ?? []
  const ends = own.filter(
    ({ kind, status, endsPart }) =>
      kind === 'shutdown' && status !== 'withdrawn' && endsPart === undefined,
  )
  return ends.map(({ date }) => date).sort()[0]
}
