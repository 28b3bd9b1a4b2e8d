/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { jsonLd } from '../feeds/discovery/json-ld.ts'
import { pageHref } from '../page-paths.ts'
import type { ToolDetail } from '../records/tool.ts'
import { CatalogLayout } from './layout.tsx'
import { SheetSection } from './parts/section.tsx'
import { pageText } from './render.ts'
import { Changes } from './tool/changes.tsx'
import { ConnectSection } from './tool/connect.tsx'
import { FactsSection } from './tool/facts.tsx'
import { Head } from './tool/head.tsx'
import { LiveSection } from './tool/live.tsx'
import { Models } from './tool/models.tsx'
import { Prices } from './tool/prices.tsx'
import { ProvenanceSection } from './tool/provenance.tsx'
import { Reviews } from './tool/reviews.tsx'
import { Score } from './tool/score.tsx'
import { toolName } from './words.ts'

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
          <Prices tool={tool} />
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
