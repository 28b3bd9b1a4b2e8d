/** @jsxImportSource preact */

import { cleanLine, cleanText } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool } from '../feeds/changes-by-tool.ts'
import { jsonLd } from '../feeds/discovery/json-ld.ts'
import { pageHref, pictureHref } from '../page-paths.ts'
import { splitChanges } from '../records/change.ts'
import { endedBy } from '../records/grading.ts'
import { REVIEW_STATE_NAMES, type Review } from '../records/review.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { Connect as Samples } from '../records/tool-fields.ts'
import { CatalogLayout } from './layout.tsx'
import { ChangeList, TodayMark } from './parts/change-list.tsx'
import { CodeSample, Day, SheetSection } from './parts/section.tsx'
import { pageText } from './render.ts'
import { ChecksSection } from './tool/checks.tsx'
import { FactsSection } from './tool/facts.tsx'
import { Head } from './tool/head.tsx'
import { LiveSection } from './tool/live.tsx'
import { Models } from './tool/models.tsx'
import { Prices } from './tool/prices.tsx'
import { ProvenanceSection } from './tool/provenance.tsx'
import { Score } from './tool/score.tsx'
import { plural, toolName } from './words.ts'
/** The data sheet of one tool. */
export function toolPage(snapshot: CatalogSnapshot, tool: ToolDetail): string {
  const page = pageHref.tool(tool.slug)
  const { graded, grade } = tool.catalog
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={toolName(tool)}
      description={`${cleanLine(tool.summary)} ${graded ? `Grade ${grade}.` : 'Not graded yet.'}`}
      canonical={page}
      picture={pictureHref.tool(snapshot.tools.length, tool)}
      section="tools"
      data={jsonLd(tool, snapshot)}
      scripts={graded ? ['weights.js'] : []}
      alternates={[
        { type: 'application/json', href: `/api/v1${page}.json`, title: 'The record as JSON' },
        { type: 'text/markdown', href: `${page}.md`, title: 'This page in Markdown' },
        { type: 'text/markdown', href: `${page}.min.md`, title: 'This page in short' },
        { type: 'application/atom+xml', href: `${page}.atom`, title: 'Changes' },
      ]}
    >
      <div class="sheet">
        <Head snapshot={snapshot} tool={tool} />
        <div class="sheet-main">
          <ForAndAgainst tool={tool} />
          <ConnectSection tool={tool} />
          <Score snapshot={snapshot} tool={tool} />
          <ChecksSection snapshot={snapshot} tool={tool} />
          <Prices snapshot={snapshot} tool={tool} />
          <Models tool={tool} />
          <LiveSection snapshot={snapshot} tool={tool} />
          <ProvenanceSection tool={tool} />
          <Changes snapshot={snapshot} tool={tool} />
          <Reviews tool={tool} />
          <Notable tool={tool} />
        </div>
        <FactsSection snapshot={snapshot} tool={tool} />
      </div>
    </CatalogLayout>,
  )
}

function ForAndAgainst({ tool: { catalog } }: { tool: ToolDetail }) {
  const { strengths, weaknesses } = catalog
  if (strengths.length === 0 && weaknesses.length === 0) return null
  return (
    <SheetSection id="judgement" title="For and against">
      <div class="sides">
        <Side name="For" items={strengths} kind="for" />
        <Side name="Against" items={weaknesses} kind="against" />
      </div>
    </SheetSection>
  )
}

function Side(props: { name: string; items: readonly string[]; kind: string }) {
  if (props.items.length === 0) return null
  return (
    <div class={props.kind}>
      <h3>{props.name}</h3>
      <ul class="bullets">
        {props.items.map((item) => (
          <li dir="auto">{cleanText(item)}</li>
        ))}
      </ul>
    </div>
  )
}

function Notable({ tool: { notable } }: { tool: ToolDetail }) {
  if (notable.length === 0) return null
  return (
    <SheetSection id="notable" title="Worth knowing">
      <ul class="bullets">
        {notable.map((item) => (
          <li dir="auto">{cleanText(item)}</li>
        ))}
      </ul>
    </SheetSection>
  )
}

/** Coming changes above, past ones below, today between them. */
function Changes({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const own = [...(changesByTool(snapshot).get(tool.slug) ?? [])]
  const { upcoming, recent } = splitChanges(own, snapshot.today)
  return (
    <SheetSection id="changes" title="Changes">
      {own.length === 0 ? (
        <p class="soft">No dated changes are known, past or to come.</p>
      ) : (
        <>
          <ChangeList items={upcoming.toReversed()} today={snapshot.today} withName={false} />
          <TodayMark today={snapshot.today} />
          <ChangeList items={recent} today={snapshot.today} withName={false} />
        </>
      )}
      <p class="subscribe">
        <a href={pageHref.history(tool.slug)}>What changed before</a>
        <a href={`${pageHref.tool(tool.slug)}.atom`}>Follow by Atom</a>
        <a href={`/sunsets.ics?tool=${tool.slug}`}>Follow in a calendar</a>
      </p>
    </SheetSection>
  )
}

const NAMES: Array<[key: keyof Samples, name: string]> = [
  ['claudeCode', 'Claude Code'],
  ['config', 'MCP client configuration'],
  ['install', 'Install'],
  ['http', 'First request'],
  ['x402', 'Paid request'],
]

/** Samples to copy; for a tool that ended, none that pays. */
function ConnectSection({ tool }: { tool: ToolDetail }) {
  const ended = endedBy(tool.catalog) !== undefined
  const samples = NAMES.flatMap(([key, name]) => {
    if (ended && key === 'x402') return []
    const text = cleanText(tool.connect[key] ?? '')
    return text ? [{ name, text }] : []
  })
  const { agentNotes } = tool.catalog
  if (samples.length === 0 && agentNotes.length === 0 && !tool.authNotes) return null
  return (
    <SheetSection id="connect" title="Connect">
      {tool.authNotes && <p dir="auto">{cleanText(tool.authNotes)}</p>}
      {samples.map((sample) => (
        <CodeSample {...sample} />
      ))}
      {agentNotes.length > 0 && (
        <>
          <h3>Notes for agents</h3>
          <ul class="bullets">
            {agentNotes.map((note) => (
              <li dir="auto">{cleanText(note)}</li>
            ))}
          </ul>
        </>
      )}
    </SheetSection>
  )
}

/** Reviews by people and desks; nothing without any. */
function Reviews({ tool: { reviews, catalog } }: { tool: ToolDetail }) {
  if (reviews.length === 0) return null
  return (
    <SheetSection id="reviews" title={plural(reviews.length, 'review')}>
      {catalog.avgRating !== null && (
        <p class="soft">{catalog.avgRating.toFixed(1)} of 5 on average</p>
      )}
      {reviews.map((review) => (
        <One review={review} />
      ))}
    </SheetSection>
  )
}

function One({ review }: { review: Review }) {
  const { kind, date, rating, title, body, pros, cons, source, basis, outcome, signature } = review
  return (
    <article class="review" dir="auto">
      <h3>{cleanLine(title)}</h3>
      <p class="soft">
        <b class="number">{rating} of 5</b> · {kind === 'usage' ? 'from use' : 'from the desk'} ·{' '}
        <Day day={date} /> · <bdi>{cleanLine(source)}</bdi>
        {signature && ` · ${REVIEW_STATE_NAMES.get(signature.status) ?? 'signed'}`}
      </p>
      <p>{cleanText(body)}</p>
      <Points name="For" items={pros} />
      <Points name="Against" items={cons} />
      {(basis || outcome) && (
        <p class="soft">
          {basis && `Rests on: ${cleanLine(basis)}. `}
          {outcome && `Outcome: ${cleanLine(outcome)}.`}
        </p>
      )}
    </article>
  )
}

function Points({ name, items }: { name: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <p>
      <b>{name}:</b> {items.map(cleanLine).join('; ')}
    </p>
  )
}
