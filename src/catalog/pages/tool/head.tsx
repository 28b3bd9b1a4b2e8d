/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../../platform/text.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { pageHref } from '../../page-paths.ts'
import { dateWords } from '../../records/date-words.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { endedPart, endedWords } from '../ended.ts'
import { Grade, gradeOf, LiveDot, PreviewNote, X402Mark } from '../parts/marks.tsx'
import { fieldRows, PAGE_KIT } from '../parts/page-kit.tsx'
import { ExternalLink } from '../parts/section.tsx'
import { WatchLink } from '../parts/watch-link.tsx'
import { categoryName, number, priceOf, scoreWords, toolName, wordFor } from '../words.ts'

type Props = { snapshot: CatalogSnapshot; tool: ToolDetail }

/** The summary: what it is, its grade, its price, and how to connect. */
export function Head({ snapshot, tool }: Props) {
  const { catalog, category } = tool
  return (
    <div class="sheet-top">
      <nav class="crumbs" aria-label="Where this is">
        <a href={pageHref.tools()}>Tools</a> <span aria-hidden="true">/</span>{' '}
        <a href={pageHref.tools({ category })}>{categoryName(snapshot, category)}</a>
      </nav>
      <div class="sheet-title">
        {catalog.graded && <Grade grade={gradeOf(catalog)} large />}
        <div>
          <h1>
            <bdi>{toolName(tool)}</bdi>
          </h1>
          <p class="sub">
            {tool.kind === 'unknown' ? 'Tool' : wordFor(tool.kind)}
            {tool.vendor === '' ? (
              ', vendor not known'
            ) : (
              <>
                {' by '}
                <ExternalLink to={tool.vendorUrl}>
                  <bdi>{cleanLine(tool.vendor)}</bdi>
                </ExternalLink>
              </>
            )}
          </p>
        </div>
      </div>
      <p class="lead" dir="auto">
        {cleanLine(tool.summary)}
      </p>
      {snapshot.settings.preview && <PreviewNote />}
      <WatchLink kind="tool" of={tool.slug} />
      <AtAGlance snapshot={snapshot} tool={tool} />
      {catalog.verdict !== '' && (
        <blockquote class="verdict" dir="auto">
          {cleanText(catalog.verdict)}
        </blockquote>
      )}
    </div>
  )
}

const GLANCE = fieldRows('glance')

function AtAGlance({ snapshot, tool }: Props) {
  const ended = endedWords(snapshot, tool)
  return (
    <dl class="glance">
      <div>
        <dt>Score</dt>
        <dd>
          <ScoreWords tool={tool} />
        </dd>
      </div>
      <div>
        <dt>{ended ? 'Ended' : 'Price'}</dt>
        <dd dir="auto">
          {ended ?? priceOf(tool)} {!ended && <X402Mark x402={tool.x402} />}
        </dd>
      </div>
      <EndedPart snapshot={snapshot} tool={tool} />
      {GLANCE.map(({ label, value }) => (
        <div>
          <dt>{label}</dt>
          <dd>{value(tool, PAGE_KIT)}</dd>
        </div>
      ))}
      <div>
        <dt>Live</dt>
        <dd>
          <LiveDot tool={tool} />
        </dd>
      </div>
      <div>
        <dt>Agent ready</dt>
        <dd>
          <AgentReady tool={tool} />
        </dd>
      </div>
    </dl>
  )
}

/** That a part of the tool ended, such as a release; nothing while all of it goes on. */
function EndedPart({ snapshot, tool }: Props) {
  const part = endedPart(snapshot, tool)
  if (!part) return null
  const { last, others } = part
  return (
    <div>
      <dt>Ended in part</dt>
      <dd>
        <a href={`#change-${last.id}`}>
          <bdi>{cleanLine(last.endsPart ?? '')}</bdi>
        </a>
        , {dateWords(last.date, last.datePrecision)}
        {others > 0 && (
          <small>
            {' '}
            and <a href="#changes">{others === 1 ? '1 other' : `${number(others)} others`}</a>
          </small>
        )}
      </dd>
    </div>
  )
}

function ScoreWords({ tool: { catalog } }: { tool: ToolDetail }) {
  const { score, rank, rankOf } = catalog
  if (score === null) return <>Not graded yet</>
  return (
    <>
      <b class="number">{scoreWords(score)}</b> of 100
      {rank !== null && <small>{` No. ${number(rank)} of ${number(rankOf)}`}</small>}
    </>
  )
}

function AgentReady({ tool: { catalog } }: { tool: ToolDetail }) {
  if (catalog.agentReady) {
    return (
      <span class="is-ready">
        <Icon name="check" />
        Yes
      </span>
    )
  }
  return <>{catalog.graded ? 'No' : 'Not known yet'}</>
}
