/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { cleanLine, cutText } from '../../platform/text.ts'
import { Icon } from '../../platform/web/icon.tsx'
import { EmptyBox } from '../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { pageHref, pagePaths } from '../page-paths.ts'
import { byPlace, type RecordField } from '../records/fields/field.ts'
import { ALL_FIELDS } from '../records/fields/fields.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { takesX402 } from '../records/x402.ts'
import { endedWords } from './ended.ts'
import { CatalogLayout } from './layout.tsx'
import { Grade, gradeOf, LiveDot, PreviewNote, X402Mark } from './parts/marks.tsx'
import { PAGE_KIT } from './parts/page-kit.tsx'
import { PlainFilesNote } from './parts/plain-files-note.tsx'
import { pageText } from './render.ts'
import { categoryName, number, scoreWords, toolName, unitName, usdPrice, wordFor } from './words.ts'

/** As many as fit side by side and stay readable. */
const MOST = 4
// The rest of a long address is ignored.
const SLUGS_MOST = 20

/** Up to four tools side by side: `?tools=a,b`. Unknown slugs are named on the page. */
export function comparePage(snapshot: CatalogSnapshot, search?: URLSearchParams): string {
  const requested = (search?.getAll('tools') ?? []).flatMap((one) => one.split(','))
  const slugs = [...new Set(requested.map((slug) => slug.trim()).filter(Boolean))].slice(
    0,
    SLUGS_MOST,
  )
  const matches = slugs.flatMap((slug) => snapshot.bySlug.get(slug) ?? [])
  const tools = matches.slice(0, MOST)
  const missing = slugs.filter((slug) => !snapshot.bySlug.has(slug))
  const names = tools.map(toolName)
  const title = tools.length > 1 ? names.join(' and ') : 'Compare tools'
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={title}
      description="Tools for agents side by side: score, price, sign-in, health, age."
      canonical={pageHref.compare(tools.map(({ slug }) => slug))}
      section="tools"
      scripts={search ? [] : ['plain-files.js']}
      hidden
    >
      <div class="page-head">
        <h1>Side by side</h1>
        <p class="sub">
          {missing.length > 0 && (
            <>
              Not in this catalog:{' '}
              <bdi>{missing.map((slug) => cutText(cleanLine(slug), 64)).join(', ')}</bdi>.{' '}
            </>
          )}
          {matches.length > MOST && `The first ${MOST} of ${matches.length} are shown. `}
          {tools.length > 0 && 'In each row the same fact, from the same run.'}
        </p>
        {snapshot.settings.preview && tools.length > 0 && <PreviewNote />}
      </div>
      {!search && (
        <PlainFilesNote>A copy of plain files has no server, which comparing needs.</PlainFilesNote>
      )}
      {tools.length === 0 ? (
        <EmptyBox icon="search" title="Nothing to compare yet">
          <p>
            Open a tool and choose another under “Compare with”. On a wide screen, tick two to four
            in the directory, then choose “Compare the ticked”.
          </p>
          <p>
            <a class="button" href={pagePaths.tools}>
              Go to the directory
            </a>
          </p>
        </EmptyBox>
      ) : (
        <div class={`columns n${tools.length}`}>
          {tools.map((tool) => (
            <Column snapshot={snapshot} tool={tool} all={tools} />
          ))}
        </div>
      )}
      <More snapshot={snapshot} tools={tools} />
    </CatalogLayout>,
  )
}

function Column({
  snapshot,
  tool,
  all,
}: {
  snapshot: CatalogSnapshot
  tool: ToolDetail
  all: ToolDetail[]
}) {
  const rest = all.filter((one) => one !== tool).map(({ slug }) => slug)
  const empty = emptyRows(snapshot, all)
  return (
    <article class="column">
      <header>
        {all.some(({ graded }) => graded) && <Grade grade={gradeOf(tool.catalog)} />}
        <h2>
          <a href={pageHref.tool(tool.slug)}>
            <bdi>{toolName(tool)}</bdi>
          </a>
        </h2>
        {rest.length > 0 && (
          <a class="close" href={pageHref.compare(rest)}>
            <Icon name="cross" />
            <span class="unseen">Without {toolName(tool)}</span>
          </a>
        )}
      </header>
      <dl>
        {rowsOf(snapshot, tool)
          .filter(([name]) => !empty.has(name))
          .map(([name, value, missing = 'Not known']) => (
            <div>
              <dt>{name}</dt>
              <dd dir="auto">{value || <span class="soft">{missing}</span>}</dd>
            </div>
          ))}
      </dl>
    </article>
  )
}

/** Rows without a value for any of the tools. */
function emptyRows(snapshot: CatalogSnapshot, tools: readonly ToolDetail[]): ReadonlySet<string> {
  const names = tools.flatMap((tool) => rowsOf(snapshot, tool)).map(([name]) => name)
  const filledRows = tools.flatMap((tool) => rowsOf(snapshot, tool)).filter(([, value]) => value)
  return new Set(names).difference(new Set(filledRows.map(([name]) => name)))
}

/** A name, the value, and the text for no value. */
type Row = [name: string, value: ComponentChildren, missing?: string]

type RowMaker = { place: number; rowOf(snapshot: CatalogSnapshot, tool: ToolDetail): Row }

/** The rows of the fields, and those that need more than a field. */
const ROWS = byPlace<RowMaker>([
  { place: 10, rowOf: (snapshot, tool) => ['Ended', endedWords(snapshot, tool), 'No'] },
  {
    place: 20,
    rowOf: (_, { catalog: { score } }) => [
      'Score',
      score !== null && <ScoreBar score={score} />,
      'Not graded yet',
    ],
  },
  { place: 30, rowOf: (snapshot, tool) => ['What it is', whatWords(snapshot, tool)] },
  { place: 40, rowOf: (_, { summary }) => ['In a sentence', cleanLine(summary)] },
  { place: 60, rowOf: (_, tool) => ['Unit prices', pricesOf(tool)] },
  {
    place: 70,
    rowOf: (_, tool) => ['Pay per call', endedBy(tool.catalog) ? 'No longer' : payWords(tool)],
  },
  { place: 90, rowOf: (_, tool) => ['Agent ready', readyWords(tool)] },
  { place: 100, rowOf: (_, tool) => ['Live', <LiveDot tool={tool} />] },
  {
    place: 160,
    rowOf: (_, { provenance, vendor }) => [
      'Company',
      cleanLine(provenance.legalEntity) || cleanLine(vendor),
    ],
  },
  ...ALL_FIELDS.flatMap(({ compare }) => (compare ? [fieldRow(compare)] : [])),
])

function fieldRow({ place, label, value }: NonNullable<RecordField['compare']>): RowMaker {
  return { place, rowOf: (_, tool) => [label, value(tool, PAGE_KIT)] }
}

/** The same rows for every tool, so that they line up. */
function rowsOf(snapshot: CatalogSnapshot, tool: ToolDetail): Row[] {
  return [
    ...ROWS.map(({ rowOf }) => rowOf(snapshot, tool)),
    ...snapshot.methodology.criteria.map(({ key, name }): Row => {
      const score = tool.catalog.scores[key]
      return [name, score !== undefined && <Bar score={score} />, 'Not scored']
    }),
  ]
}

function whatWords(snapshot: CatalogSnapshot, { kind, category }: ToolDetail): string {
  const name = categoryName(snapshot, category)
  return kind === 'unknown' ? name : `${wordFor(kind)}, ${name}`
}

function payWords({ x402 }: ToolDetail): ComponentChildren {
  if (takesX402(x402)) return <X402Mark x402={x402} />
  return x402?.level === 'no' && 'No'
}

function readyWords({ catalog }: ToolDetail): string {
  if (catalog.agentReady) return 'Yes'
  return catalog.graded ? 'No' : 'Not known yet'
}

const PRICES = 2

function pricesOf({ unitPrices }: ToolDetail): ComponentChildren {
  if (unitPrices.length === 0) return null
  return unitPrices.slice(0, PRICES).map((one) => (
    <span class="line">
      <b class="number">{usdPrice(one.usd)}</b> per {unitName(one.unit)}, {cleanLine(one.item)}
    </span>
  ))
}

function ScoreBar({ score }: { score: number }) {
  return (
    <>
      <b class="number">{scoreWords(score)}</b>
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

const SUGGESTED = 8

/** Others of the same category, one tap away. */
function More({ snapshot, tools }: { snapshot: CatalogSnapshot; tools: ToolDetail[] }) {
  if (tools.length === 0 || tools.length >= MOST) return null
  const categories = new Set(tools.map(({ category }) => category))
  const others = snapshot.tools.filter(
    (one) => categories.has(one.category) && !tools.includes(one),
  )
  if (others.length === 0) return null
  const slugs = tools.map(({ slug }) => slug)
  return (
    <section class="part">
      <h2>Add one beside</h2>
      <ul class="chips">
        {others.slice(0, SUGGESTED).map((one) => (
          <li>
            <a class="chip-off" href={pageHref.compare([...slugs, one.slug])}>
              <bdi>{toolName(one)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
