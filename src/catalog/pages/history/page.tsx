/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { historyOf } from '../../feeds/history.ts'
import { pageHref, pictureHref } from '../../page-paths.ts'
import type { ToolHistory } from '../../records/history.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { CatalogLayout } from '../layout.tsx'
import { BarChart, StepChart } from '../parts/charts.tsx'
import { percent } from '../parts/marks.tsx'
import { Columns, Day, SheetSection } from '../parts/section.tsx'
import { pageText } from '../render.ts'
import {
  dayWords,
  number,
  plural,
  scoreWords,
  toolName,
  unitName,
  usdPrice,
  wordFor,
} from '../words.ts'
import { ToolLists } from './tool-lists.tsx'

type Props = { history: ToolHistory; today: string }

const BASES: Record<string, string> = {
  editorial: 'Desk review',
  measured: 'Measurements',
  mixed: 'Desk review and measurements',
}

// More stands in the JSON.
const ROWS_MAX = 50

/** What changed in a tool: its MCP tools, prices, versions, grades, availability and status. */
export function historyPage(snapshot: CatalogSnapshot, tool: ToolDetail): string {
  const history = historyOf(snapshot, tool)
  const parts = { history, today: snapshot.today }
  const page = pageHref.tool(tool.slug)
  const json = `/api/v1${page}/history.json`
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={`${toolName(tool)}: history`}
      description={`What changed in ${toolName(tool)}: tools, prices, versions, grades and uptime.`}
      canonical={pageHref.history(tool.slug)}
      picture={pictureHref.tool(snapshot.tools.length, tool)}
      section="tools"
      alternates={[{ type: 'application/json', href: json, title: 'The same as JSON' }]}
    >
      <nav class="crumbs" aria-label="Where this is">
        <a href={pageHref.tools()}>Tools</a> <span aria-hidden="true">/</span>{' '}
        <a href={page}>
          <bdi>{toolName(tool)}</bdi>
        </a>
      </nav>
      <div class="page-head">
        <h1>History</h1>
        <p class="sub">
          What changed in <bdi>{toolName(tool)}</bdi> since this catalog looks at it, newest first.
        </p>
        <p class="subscribe">
          <a href={json}>JSON</a>
          <a href={`${page}.atom`}>Follow its changes by Atom</a>
        </p>
      </div>
      <div class="history">
        <ToolLists {...parts} />
        <Scores {...parts} />
        <Prices {...parts} />
        <Uptime {...parts} />
        <Versions {...parts} />
        <Status {...parts} />
      </div>
    </CatalogLayout>,
  )
}

function Scores({ history: { scores }, today }: Props) {
  const points = scores.map(({ run, score, grade }) => ({
    at: run,
    value: score,
    words: `${dayWords(run)}: ${score === null ? 'not graded' : `${scoreWords(score)}, ${grade}`}`,
  }))
  return (
    <SheetSection id="scores" title="Grades">
      {scores.length === 0 && <p class="soft">It was not graded yet.</p>}
      <StepChart points={points} until={today} most={100} />
      {scores.length > 0 && (
        <table class="plain">
          <Columns names={['Run', 'Grade', 'Rests on']} />
          <tbody>
            {newest(scores).map(({ run, runLabel, grade, score, basis, pending }) => (
              <tr>
                <th scope="row">
                  <Day day={run} />
                  <small>{cleanLine(runLabel)}</small>
                </th>
                <td>
                  {score === null ? (
                    'Not graded'
                  ) : (
                    <b class="number">{`${grade} · ${scoreWords(score)}`}</b>
                  )}
                </td>
                <td>
                  {BASES[basis] ?? wordFor(basis)}{' '}
                  {pending.length > 0 && (
                    <small>{plural(pending.length, 'criterion', 'criteria')} open</small>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SheetSection>
  )
}

function Prices({ history: { prices, paidPrices } }: Props) {
  const rows = [
    ...prices.map(({ at, item, unit, before, after }) => ({
      at,
      what: `${cleanLine(item)}, per ${unitName(unit)}`,
      price: `${before === null ? 'not stated' : usdPrice(before)} → ${after === null ? 'not stated' : usdPrice(after)}`,
    })),
    ...paidPrices.map(({ at, url, usd }) => ({
      at,
      what: cleanLine(url),
      price: usd === null ? 'not known in dollars' : `${usdPrice(Number(usd))} a call`,
    })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return (
    <SheetSection id="prices" title="Prices">
      {rows.length === 0 && <p class="soft">No price changed here so far.</p>}
      {rows.length > 0 && (
        <table class="plain">
          <Columns names={['Since', 'What', 'Price']} />
          <tbody>
            {newest(rows).map(({ at, what, price }) => (
              <tr>
                <th scope="row">
                  <Day day={at.slice(0, 10)} />
                </th>
                <td dir="auto">{what}</td>
                <td class="number">{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SheetSection>
  )
}

function Uptime({ history: { months } }: Props) {
  const rows = months.filter(({ probes }) => probes > 0)
  return (
    <SheetSection id="uptime" title="Uptime by month">
      {rows.length === 0 && <p class="soft">Not known: it was not measured here.</p>}
      <BarChart
        bars={rows.map(({ month, probes, ok }) => ({
          share: ok / probes,
          words: `${month}: ${percent((100 * ok) / probes)}`,
        }))}
      />
      {rows.length > 0 && (
        <table class="plain">
          <Columns names={['Month', 'Answered', 'Probes']} />
          <tbody>
            {newest(rows).map(({ month, probes, ok }) => (
              <tr>
                <th scope="row">{month}</th>
                <td class="number">{percent((100 * ok) / probes)}</td>
                <td class="number">{number(probes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SheetSection>
  )
}

function Versions({ history: { versions } }: Props) {
  return (
    <SheetSection id="versions" title="Versions">
      {versions.length === 0 && <p class="soft">No release was seen here.</p>}
      {versions.length > 0 && (
        <table class="plain">
          <Columns names={['Seen', 'Package', 'Version']} />
          <tbody>
            {newest(versions).map(({ at, registry, name, version, released }) => (
              <tr>
                <th scope="row">
                  <Day day={at.slice(0, 10)} />
                </th>
                <td dir="auto">
                  {cleanLine(name)} <small>{wordFor(registry)}</small>
                </td>
                <td dir="auto">
                  <b>{cleanLine(version)}</b>{' '}
                  {released && <small>released {dayWords(released)}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SheetSection>
  )
}

function Status({ history: { status } }: Props) {
  if (status.length === 0) return null
  return (
    <SheetSection id="status" title="What the vendor said">
      <table class="plain">
        <Columns names={['Since', 'Its status page']} />
        <tbody>
          {newest(status).map(({ at, summary }) => (
            <tr>
              <th scope="row">
                <Day day={at.slice(0, 10)} />
              </th>
              <td dir="auto">{cleanLine(summary)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SheetSection>
  )
}

/** The newest rows, newest first. */
function newest<T>(rows: readonly T[]): T[] {
  return rows.slice(-ROWS_MAX).toReversed()
}
