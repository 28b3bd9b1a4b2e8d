/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { EmptyBox } from '../../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { pageHref, pagePaths, withQuery } from '../../page-paths.ts'
import { endedBy } from '../../records/grading.ts'
import { CatalogLayout } from '../layout.tsx'
import { PlainFilesNote } from '../parts/plain-files-note.tsx'
import { Day } from '../parts/section.tsx'
import { pageText } from '../render.ts'
import { number, plural, shortNumber, toolName, usdPrice } from '../words.ts'
import { type CallSize, MODEL_SORTS, type ModelRow, type ModelSort, modelRows } from './rows.ts'

const USUAL: CallSize = { calls: 10_000, input: 2_000, cached: 0, output: 500 }
const COUNT_MAX = 1_000_000_000
// A page stays small; the directory has them all.
const ROWS_MAX = 150

const FIELDS: ReadonlyArray<readonly [name: keyof CallSize, label: string]> = [
  ['calls', 'Calls'],
  ['input', 'Input tokens a call'],
  ['cached', 'Cached input tokens'],
  ['output', 'Output tokens a call'],
]

const SORT_NAMES: Record<ModelSort, string> = {
  name: 'Name',
  input: 'Input',
  output: 'Output',
  cached: 'Cached',
  context: 'Context',
  takes: 'Takes',
  knowledge: 'Knows until',
  ends: 'Ends',
  cost: 'Cost',
}

/** Models by what people choose by, with what a number of calls costs. */
export function modelsPage(snapshot: CatalogSnapshot, search = new URLSearchParams()): string {
  const sort = MODEL_SORTS.find((name) => name === search.get('sort')) as ModelSort | undefined
  const size = sizeIn(search)
  const order = sort ?? 'cost'
  const rows = modelRows(snapshot, order, size)
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title="Models"
      description={`${plural(rows.length, 'model')} with prices, context, knowledge and end dates.`}
      canonical={pagePaths.models}
      section="tools"
      scripts={search.size > 0 ? [] : ['plain-files.js']}
      hidden={search.size > 0}
    >
      <div class="page-head">
        <h1>Models</h1>
        <p class="sub">
          Prices are US dollars per million tokens, without surcharges for long contexts. A dash is
          not known.
        </p>
      </div>
      {search.size === 0 && rows.length > 0 && (
        <PlainFilesNote>
          A copy of plain files has no server, which another order or size needs.
        </PlainFilesNote>
      )}
      {rows.length === 0 ? (
        <EmptyBox icon="search" title="No models yet">
          <p>Records of the kind "model" will appear here.</p>
        </EmptyBox>
      ) : (
        <>
          <Calculator size={size} sort={order} />
          <p class="soft">
            Cost of {number(size.calls)} calls, by {SORT_NAMES[order].toLowerCase()}; what is not
            known comes last.
          </p>
          <Table rows={rows.slice(0, ROWS_MAX)} sort={order} size={size} />
          {rows.length > ROWS_MAX && (
            <p class="soft">
              {number(rows.length - ROWS_MAX)} more are in{' '}
              <a href={pageHref.tools({ kind: 'model' })}>the directory</a>.
            </p>
          )}
        </>
      )}
    </CatalogLayout>,
  )
}

/** What was typed; anything but a whole number is the usual value. */
function sizeIn(search: URLSearchParams): CallSize {
  const read = (name: keyof CallSize) => {
    const text = (search.get(name) ?? '').replace(/[\s,_']/g, '')
    return /^\d{1,10}$/.test(text) ? Math.min(Number(text), COUNT_MAX) : USUAL[name]
  }
  return {
    calls: read('calls'),
    input: read('input'),
    cached: read('cached'),
    output: read('output'),
  }
}

function Calculator({ size, sort }: { size: CallSize; sort: ModelSort }) {
  return (
    <form class="calls" method="get" action={pagePaths.models}>
      {FIELDS.map(([name, label]) => (
        <label>
          {label}
          <input type="text" inputMode="numeric" name={name} value={String(size[name])} />
        </label>
      ))}
      <label>
        Order
        <select name="sort">
          {MODEL_SORTS.map((name) => (
            <option value={name} selected={name === sort}>
              {SORT_NAMES[name as ModelSort]}
            </option>
          ))}
        </select>
      </label>
      <button class="button" type="submit">
        Calculate
      </button>
    </form>
  )
}

type TableProps = { rows: readonly ModelRow[]; sort: ModelSort; size: CallSize }

function Table({ rows, sort, size }: TableProps) {
  const query = Object.fromEntries(Object.entries(size).map(([name, value]) => [name, `${value}`]))
  return (
    <table class="plain models">
      <thead>
        <tr>
          {MODEL_SORTS.map((name) => (
            <th scope="col" aria-sort={name === sort ? 'other' : undefined}>
              <a href={withQuery(pagePaths.models, { ...query, sort: name })}>
                {SORT_NAMES[name as ModelSort]}
              </a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row }: { row: ModelRow }) {
  const { tool, context, takes, gives, knowledge, ends } = row
  return (
    <tr>
      <th scope="row" dir="auto">
        <a href={pageHref.tool(tool.slug)}>{toolName(tool)}</a>
        <small>{cleanLine(tool.vendor)}</small>
      </th>
      {(['input', 'output', 'cached'] as const).map((name) => (
        <Cell name={SORT_NAMES[name]}>{dollars(row[name])}</Cell>
      ))}
      <Cell name="Context">{context === undefined ? '–' : shortNumber(context)}</Cell>
      <Cell name="Takes">
        {takes === undefined ? '–' : cleanLine(takes)}
        {gives !== undefined && gives !== 'text' && <small> gives {cleanLine(gives)}</small>}
      </Cell>
      <Cell name="Knows until">{knowledge === undefined ? '–' : cleanLine(knowledge)}</Cell>
      <Cell name="Ends">
        {ends === undefined ? '–' : <Day day={ends} />}
        {endedBy(tool.catalog) && <small> ended</small>}
      </Cell>
      <Cell name="Cost">
        <b>{row.cost === undefined ? '–' : usdPrice(roundedCents(row.cost))}</b>
      </Cell>
    </tr>
  )
}

function Cell({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <td class="number" data-name={name}>
      {children}
    </td>
  )
}

function dollars(usd: number | undefined): string {
  return usd === undefined ? '–' : usdPrice(usd)
}

/** Cents, or six places where there is less than one. */
function roundedCents(usd: number): number {
  return usd >= 0.01 ? Math.round(usd * 100) / 100 : Number(usd.toFixed(6))
}
