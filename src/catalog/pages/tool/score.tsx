/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { pagePaths } from '../../page-paths.ts'
import type { BreakdownItem } from '../../records/grading.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { Day, SheetSection, SourceLink } from '../parts/section.tsx'
import { plural, scoreWords } from '../words.ts'
import { Findings } from './findings.tsx'

/** The calculation of the grade, or what is missing for one. */
export function Score({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const { catalog, breakdown } = tool
  if (!catalog.graded || catalog.score === null)
    return <NotGraded snapshot={snapshot} tool={tool} />
  const applicable = breakdown.filter(({ state }) => state !== 'not-applicable')
  const most = Math.max(...applicable.map(({ effectiveWeight }) => effectiveWeight), 1)
  const sum = applicable.reduce((points, item) => points + item.points, 0)
  const open = applicable.reduce((points, item) => points + (item.pointsMost ?? 0), 0)
  return (
    <SheetSection id="score" title="How the score comes about">
      <p class="soft">
        The length of a bar is the weight of the criterion, its filled part the points. Assessed{' '}
        {catalog.assessment.date && <Day day={catalog.assessment.date} />} with{' '}
        {catalog.assessment.confidence} confidence, by{' '}
        <a href={pagePaths.methodology}>method {catalog.methodology}</a>.
        <span data-movable hidden>
          {' '}
          Move the weights to see what would count for you.
        </span>
      </p>
      <table
        class="sum"
        data-weights
        data-negative={catalog.negative}
        data-published={scoreWords(catalog.score)}
      >
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">
              <span class="unseen">Weight and points as a bar</span>
            </th>
            <th scope="col">Score</th>
            <th scope="col">Share</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {applicable.map((item) => (
            <Row item={item} most={most} />
          ))}
        </tbody>
        <tfoot>
          <Total name="Sum of the points">
            <span data-sum>{sum.toFixed(3)}</span>
          </Total>
          {catalog.negative < 0 && <Total name="Deductions">{`−${-catalog.negative}`}</Total>}
          <Total name="Score" strong>
            {scoreWords(catalog.score)}
          </Total>
          {open > 0 && (
            <Total name="At most, with what is pending">{highest(sum + open, catalog)}</Total>
          )}
        </tfoot>
      </table>
      <p class="with-weights">
        <output data-result hidden />{' '}
        <button type="button" class="small" data-reset hidden>
          Back to the published weights
        </button>
      </p>
      <Beside tool={tool} />
    </SheetSection>
  )
}

/** The upper end of the score, to one decimal, half up. */
function highest(points: number, { negative }: ToolDetail['catalog']): string {
  const exact = Math.round((points + negative) * 1000)
  return scoreWords(Math.floor((Math.min(Math.max(exact, 0), 100_000) + 50) / 100) / 10)
}

function Row({ item, most }: { item: BreakdownItem; most: number }) {
  const { key, name, weight, effectiveWeight, points, reason, findings, evidence = [], date } = item
  const score = item.score ?? 0
  const width = (100 * effectiveWeight) / most
  return (
    <tr data-key={key} data-name={name} data-weight={weight} data-score={score}>
      <th scope="row">
        {cleanLine(name)}
        <small dir="auto">
          {cleanLine(reason)}{' '}
          {(findings ? [] : evidence).map((address) => (
            <>
              <SourceLink to={address} />{' '}
            </>
          ))}
          {date && <Day day={date} />}
        </small>
      </th>
      <td class="bar-cell">
        <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width={width.toFixed(1)} height="10" />
          <rect class="fill" width={((width * score) / 10).toFixed(1)} height="10" />
        </svg>
        <span data-slider />
      </td>
      <td class="number">
        {item.score === null ? (
          'pending'
        ) : (
          <>
            <b>{score}</b>
            <span class="unseen"> of 10</span>
          </>
        )}
      </td>
      <td class="number">
        <span data-share>{effectiveWeight.toFixed(2)}</span> %
        <small>
          {' '}
          weight <span data-weight-now>{weight}</span>
        </small>
      </td>
      <td class="number" data-points>
        {points.toFixed(3)}
      </td>
    </tr>
  )
}

function Total(props: { name: string; strong?: true; children: preact.ComponentChildren }) {
  return (
    <tr class={props.strong && 'strong'}>
      <th scope="row" colSpan={4}>
        {props.name}
      </th>
      <td class="number">{props.children}</td>
    </tr>
  )
}

function NotGraded({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const { coverage } = tool.catalog
  const least = snapshot.methodology.coverage.graded
  const scoredCount = tool.breakdown.filter(({ score }) => score !== null).length
  return (
    <SheetSection id="score" title="Not graded yet">
      <p>
        {scoredCount === 0
          ? 'No criterion has been scored so far, so there is no score and no grade.'
          : `${plural(scoredCount, 'criterion', 'criteria')} scored so far, which is too little for a grade.`}{' '}
        A grade needs {Math.round(least * 100)} % of the weights to be scored
        {coverage !== undefined &&
          scoredCount > 0 &&
          `; here it is ${Math.floor(coverage * 100)} %`}
        . <a href={pagePaths.methodology}>How grades are made</a>
      </p>
      <Beside tool={tool} />
    </SheetSection>
  )
}

/** What the vendor says beside the grade. */
function Reply({ tool: { reply } }: { tool: ToolDetail }) {
  if (!reply) return null
  return (
    <>
      <h3>What the vendor says</h3>
      <blockquote dir="auto">
        {reply.text.split(/\n{2,}/).map((part) => (
          <p>{cleanLine(part)}</p>
        ))}
      </blockquote>
      <p class="soft">
        Signed with <SourceLink to={reply.key.url} name={`a key of ${reply.key.domain}`} />,{' '}
        <Day day={reply.date} />, shown until <Day day={reply.until} />. The signature was checked;
        what it says was not.
      </p>
    </>
  )
}

/** What is missing, what documents show, and what weighs on the grade. */
function Beside({ tool }: { tool: ToolDetail }) {
  return (
    <>
      <Missing tool={tool} />
      <Findings breakdown={tool.breakdown} />
      <Reply tool={tool} />
      <Caps tool={tool} />
      <Deductions tool={tool} />
    </>
  )
}

function Missing({ tool: { breakdown, catalog } }: { tool: ToolDetail }) {
  const nameOf = (key: string) => breakdown.find((item) => item.key === key)?.name ?? key
  const { pending, notApplicable = [], agentReadyMissing = [], graded } = catalog
  return (
    <dl class="facts">
      {pending.length > 0 && (
        <div>
          <dt>Still to be scored</dt>
          <dd>{pending.map(nameOf).join(', ')}</dd>
        </div>
      )}
      {notApplicable.length > 0 && (
        <div>
          <dt>Does not apply</dt>
          <dd>{notApplicable.map(nameOf).join(', ')}</dd>
        </div>
      )}
      {graded && agentReadyMissing.length > 0 && (
        <div>
          <dt>Missing to be agent ready</dt>
          <dd>{agentReadyMissing.join(' ')}</dd>
        </div>
      )}
    </dl>
  )
}

function Caps({ tool: { catalog } }: { tool: ToolDetail }) {
  const { gates = [] } = catalog
  if (gates.length === 0) return null
  return (
    <>
      <h3>What caps the grade</h3>
      <ul class="bullets">
        {gates.map(({ cap, reason, evidence, date }) => (
          <li>
            At most <b>{cap}</b>: {cleanLine(reason)} {date && <Day day={date} />}{' '}
            {evidence && <Evidence text={evidence} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function Evidence({ text }: { text: string }) {
  return /^https?:\/\//.test(text) ? <SourceLink to={text} /> : <span class="soft">{text}</span>
}

function Deductions({ tool: { catalog } }: { tool: ToolDetail }) {
  const { negatives = [] } = catalog
  if (negatives.length === 0) return null
  return (
    <>
      <h3>Deductions</h3>
      <ul class="bullets">
        {negatives.map(({ points, reason, source, date, expires }) => (
          <li>
            <b class="number">{`−${-points}`}</b> {cleanLine(reason)} <SourceLink to={source} />{' '}
            <span class="soft">
              since <Day day={date} />, until <Day day={expires} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
