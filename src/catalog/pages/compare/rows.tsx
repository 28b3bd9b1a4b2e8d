/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import { cleanLine } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { byPlace, type RecordField } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import { endedBy } from '../../records/grading.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402 } from '../../records/x402.ts'
import { endedWords } from '../ended.ts'
import { LiveDot, X402Mark } from '../parts/marks.tsx'
import { PAGE_KIT } from '../parts/page-kit.tsx'
import {
  categoryName,
  contextOf,
  number,
  scoreWords,
  shortNumber,
  unitName,
  usdPrice,
  wordFor,
} from '../words.ts'

/** One fact of all the tools beside each other. */
export type ComparedRow = {
  label: string
  cells: readonly Cell[]
  /** At least two tools have different values that are known. */
  differs: boolean
}

/** `missing`: the text where there is no value. */
type Cell = { value: ComponentChildren; missing: string; isBest: boolean }

type RowMaker = {
  place: number
  label: string
  /** Anything false stands for `missing`. */
  value(tool: ToolDetail, snapshot: CatalogSnapshot): ComponentChildren
  missing?: string
  /** The missing value is a fact, such as "No". */
  isMissingKnown?: true
  /** Prose, which always differs. */
  isProse?: true
  /** What the row is about as a number of which a higher one is better. Only equal units compare. */
  best?(tool: ToolDetail): { amount: number; unit?: string } | undefined
}

/** The rows of `tools` in their order, without those that are known of none. */
export function compareTools(
  snapshot: CatalogSnapshot,
  tools: readonly ToolDetail[],
): ComparedRow[] {
  const criteria = snapshot.methodology.criteria.map(({ key, name }): RowMaker => {
    const scoreOf = ({ catalog }: ToolDetail) => catalog.scores[key]
    return {
      place: 0,
      label: name,
      value: (tool) => scoreOf(tool) !== undefined && <Bar score={scoreOf(tool) ?? 0} />,
      missing: 'Not scored',
      best: (tool) => amountOf(scoreOf(tool)),
    }
  })
  return [...ROWS, ...criteria].flatMap((maker) => rowOf(maker, snapshot, tools) ?? [])
}

function rowOf(
  maker: RowMaker,
  snapshot: CatalogSnapshot,
  tools: readonly ToolDetail[],
): ComparedRow | undefined {
  const { label, missing = 'Not known' } = maker
  const values = tools.map((tool) => maker.value(tool, snapshot))
  if (!values.some(Boolean)) return undefined
  const best = bestOf(tools.map((tool) => maker.best?.(tool)))
  const texts = values.flatMap((value) => {
    if (value) return render(<p>{value}</p>)
    return maker.isMissingKnown ? missing : []
  })
  return {
    label,
    cells: values.map((value, i) => ({ value, missing, isBest: best.has(i) })),
    differs: !maker.isProse && new Set(texts).size > 1,
  }
}

/** The places of the best amounts; none if all are equal, or of different units. */
function bestOf(
  amounts: ReadonlyArray<{ amount: number; unit?: string } | undefined>,
): ReadonlySet<number> {
  const measured = amounts.flatMap((one, at) => (one ? [{ ...one, at }] : []))
  const units = new Set(measured.map(({ unit }) => unit))
  const most = Math.max(...measured.map(({ amount }) => amount))
  const best = measured.filter(({ amount }) => amount === most)
  return new Set(units.size === 1 && best.length < measured.length ? best.map(({ at }) => at) : [])
}

const amountOf = (amount: number | null | undefined) =>
  amount === null || amount === undefined ? undefined : { amount }

/** The rows of the fields, and those that need more than a field. */
const ROWS = byPlace<RowMaker>([
  {
    place: 10,
    label: 'Ended',
    value: (tool, snapshot) => endedWords(snapshot, tool),
    missing: 'No',
    isMissingKnown: true,
  },
  {
    place: 20,
    label: 'Score',
    value: ({ catalog: { score } }) => score !== null && <ScoreBar score={score} />,
    missing: 'Not graded yet',
    best: ({ catalog }) => amountOf(catalog.score),
  },
  { place: 30, label: 'What it is', value: whatWords },
  {
    place: 40,
    label: 'In a sentence',
    value: ({ summary }) => cleanLine(summary),
    isProse: true,
  },
  { place: 60, label: 'Unit prices', value: pricesOf, best: lowestPrice },
  {
    place: 65,
    label: 'Context',
    value: (tool) => {
      const context = contextOf(tool)
      return context !== undefined && `${shortNumber(context)} tokens`
    },
    best: (tool) => amountOf(contextOf(tool)),
  },
  {
    place: 70,
    label: 'Pay per call',
    value: (tool) => (endedBy(tool.catalog) ? 'No longer' : payWords(tool)),
  },
  { place: 90, label: 'Agent ready', value: readyWords, missing: 'Not known yet' },
  {
    place: 100,
    label: 'Live',
    value: (tool) => <LiveDot tool={tool} />,
    best: ({ live }) => amountOf(live.probe?.uptime30d),
  },
  {
    place: 105,
    label: 'Half answers within',
    value: ({ live: { probe } }) => probe && probe.p50ms24h !== null && `${probe.p50ms24h} ms`,
    missing: 'Not measured yet',
    best: ({ live: { probe } }) =>
      probe && probe.p50ms24h !== null ? { amount: -probe.p50ms24h } : undefined,
  },
  {
    place: 160,
    label: 'Company',
    value: ({ provenance, vendor }) => cleanLine(provenance.legalEntity) || cleanLine(vendor),
  },
  ...ALL_FIELDS.flatMap(({ compare }) => (compare ? [fieldRow(compare)] : [])),
])

function fieldRow({ place, label, value, best }: NonNullable<RecordField['compare']>): RowMaker {
  return {
    place,
    label,
    value: (tool) => value(tool, PAGE_KIT),
    best: (tool) => amountOf(best?.(tool)),
  }
}

function whatWords({ kind, category }: ToolDetail, snapshot: CatalogSnapshot): string {
  const name = categoryName(snapshot, category)
  return kind === 'unknown' ? name : `${wordFor(kind)}, ${name}`
}

function payWords({ x402 }: ToolDetail): ComponentChildren {
  if (takesX402(x402)) return <X402Mark x402={x402} />
  return x402?.level === 'no' && 'No'
}

function readyWords({ catalog }: ToolDetail): string | false {
  if (catalog.agentReady) return 'Yes'
  return catalog.graded && 'No'
}

const PRICES = 2

function pricesOf({ unitPrices }: ToolDetail): ComponentChildren {
  if (unitPrices.length === 0) return null
  return unitPrices.slice(0, PRICES).map((one) => (
    <span class="line">
      <span class="number">{usdPrice(one.usd)}</span> per {unitName(one.unit)},{' '}
      {cleanLine(one.item)}
    </span>
  ))
}

/** Only a tool with one price has a lowest one: several are for different things. */
function lowestPrice({ unitPrices: [price, ...others] }: ToolDetail) {
  if (!price || others.length > 0) return undefined
  return { amount: -price.usd, unit: `${price.unit} ${price.item}` }
}

function ScoreBar({ score }: { score: number }) {
  return (
    <>
      <span class="number">{scoreWords(score)}</span>
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect class="fill" width={score} height="10" />
      </svg>
    </>
  )
}

function Bar({ score }: { score: number }) {
  return (
    <>
      <span class="number">{number(score)} of 10</span>
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect class="fill" width={score * 10} height="10" />
      </svg>
    </>
  )
}
