/** @jsxImportSource preact */

import { CHECKS } from '../checks/propose.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { pagePaths } from '../page-paths.ts'
import type { Criterion, Methodology } from '../records/methodology.ts'
import { CatalogLayout } from './layout.tsx'
import { Grade } from './parts/marks.tsx'
import { Day, SheetSection } from './parts/section.tsx'
import { pageText } from './render.ts'
import { plural, wordFor } from './words.ts'
/** How grades are made, with all that is needed to compute one again. */
export function methodologyPage(snapshot: CatalogSnapshot): string {
  const { methodology } = snapshot
  const { version, date, summary, criteria } = methodology
  const all = criteria.reduce((sum, { weight }) => sum + weight, 0)
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title="How grades are made"
      description={summary}
      canonical={pagePaths.methodology}
      section="methodology"
      alternates={[
        {
          type: 'application/json',
          href: '/api/v1/methodology.json',
          title: 'The method as JSON',
        },
      ]}
    >
      <div class="page-head">
        <h1>How grades are made</h1>
        <p class="sub">
          Method {version}, since <Day day={date} />
        </p>
      </div>
      <div class="prose">
        <p class="lead">{summary}</p>
        <SheetSection id="criteria" title="Criteria and weights">
          <ul class="criteria">
            {criteria.map((criterion) => (
              <One criterion={criterion} all={all} />
            ))}
          </ul>
        </SheetSection>
        <Checks />
        <Sum snapshot={snapshot} />
        <Bands snapshot={snapshot} />
        <Gates snapshot={snapshot} />
        <Negatives snapshot={snapshot} />
        <Ready snapshot={snapshot} />
        <Probes snapshot={snapshot} />
        <p class="subscribe">
          <a href="/api/v1/methodology.json">The method as JSON</a>
        </p>
      </div>
    </CatalogLayout>,
  )
}

/** What machines look at before a person scores. */
function Checks() {
  return (
    <SheetSection id="checks" title="What is checked">
      <p>
        Checks look at facts and measurements that are there already, and propose scores. A person
        takes a proposal or decides otherwise, with a reason; both are served.
      </p>
      <ul class="bullets">
        {CHECKS.map(({ criterion, question, looksAt, limits, raises, daysMost }) => (
          <li>
            <b>{question}</b> ({wordFor(criterion)}) It looks at {looksAt}, and counts for{' '}
            {plural(daysMost, 'day')}. {limits} {raises}
          </li>
        ))}
      </ul>
      <p class="subscribe">
        <a href="/api/v1/checks.json">The checks as JSON</a>
      </p>
    </SheetSection>
  )
}

function One({ criterion, all }: { criterion: Criterion; all: number }) {
  const { key, name, weight, question, anchors, kinds, levels } = criterion
  return (
    <li id={`criterion-${key}`}>
      <p class="criterion">
        <b>{name}</b>
        <span class="number">
          {weight} <small>of {all}</small>
        </span>
      </p>
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect class="fill" width={((100 * weight) / all).toFixed(1)} height="10" />
      </svg>
      <p>{question}</p>
      {kinds && <p class="soft">Only for: {kinds.map(wordFor).join(', ')}</p>}
      <details>
        <summary>What a score means</summary>
        <dl class="anchors">
          {anchors.map(({ score, means }) => (
            <div>
              <dt class="number">{score}</dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </details>
      {levels && <Scale criterion={criterion} />}
    </li>
  )
}

/** What a desk review looks for in documents, by the level that it earns. */
function Scale({ criterion: { marks = [], levels = [] } }: { criterion: Criterion }) {
  const means = new Map(marks.map((mark) => [mark.key, mark.means]))
  return (
    <details>
      <summary>What documents have to show</summary>
      <dl class="anchors">
        {levels.map(({ score, needs, alone }) => (
          <div>
            <dt class="number">{score}</dt>
            <dd>
              {needs.map((key) => means.get(key)).join(' ')}
              {alone && ' Alone.'}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Sum({ snapshot: { methodology } }: { snapshot: CatalogSnapshot }) {
  const { graded, full, cap } = methodology.coverage
  return (
    <SheetSection id="sum" title="The sum">
      <ol class="steps">
        <li>Each criterion is scored from 0 to 10, is pending, or does not apply.</li>
        <li>
          The weights of those that apply are spread over exactly 100.00 %, in hundredths of a
          percent by largest remainder. The others count nothing.
        </li>
        <li>
          Points are score ÷ 10 × share. Their sum, less the deductions, is held between 0 and 100
          and rounded half up to one decimal.
        </li>
        <li>
          Below {percentOf(graded)} of the applicable weights nothing is graded; below{' '}
          {percentOf(full)} the grade is at most {cap}.
        </li>
        <li>
          Ranks go by the grade, then by the score. Tools that are shut down or withdrawn have none
          and comes last.
        </li>
      </ol>
    </SheetSection>
  )
}

function Bands({ snapshot: { methodology } }: { snapshot: CatalogSnapshot }) {
  return (
    <SheetSection id="bands" title="From score to grade">
      <ul class="bands">
        {methodology.bands.map(({ grade, from }) => (
          <li>
            <Grade grade={grade} />
            <span class="number">from {from}</span>
          </li>
        ))}
      </ul>
    </SheetSection>
  )
}

function Gates({ snapshot: { methodology } }: { snapshot: CatalogSnapshot }) {
  return (
    <SheetSection id="gates" title="What caps a grade">
      <ul class="bands long">
        {methodology.gates.map(({ cap, means }) => (
          <li>
            <Grade grade={cap} />
            <span>{inWords(means, methodology)}</span>
          </li>
        ))}
      </ul>
    </SheetSection>
  )
}

/** A gate may name a share of the document, such as `coverage.full`: the page shows its value. */
function inWords(means: string, { coverage }: Methodology): string {
  return means.replace(/\bcoverage\.(full|graded)\b/g, (_, share: 'full' | 'graded') =>
    percentOf(coverage[share]),
  )
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`
}

function Negatives({ snapshot: { methodology } }: { snapshot: CatalogSnapshot }) {
  const { codes, floor } = methodology.negatives
  return (
    <SheetSection id="deductions" title="Deductions">
      <p>
        Each has a source and a day on which it ends. Together they take at most {-floor} points.
      </p>
      <dl class="anchors">
        {codes.map(({ points, means }) => (
          <div>
            <dt class="number">{`−${-points}`}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </SheetSection>
  )
}

function Ready({ snapshot: { methodology } }: { snapshot: CatalogSnapshot }) {
  return (
    <SheetSection id="agent-ready" title="Agent ready">
      <p>A yes or a no beside the grade, never mixed into it. All of this must hold:</p>
      <ul class="bullets">
        {methodology.agentReady.map(({ means }) => (
          <li>{means}</li>
        ))}
      </ul>
    </SheetSection>
  )
}

/** For vendors who find this address in the user agent of a request. */
function Probes({ snapshot }: { snapshot: CatalogSnapshot }) {
  const { name, contact } = snapshot.settings
  return (
    <SheetSection id="probes" title="What is measured, and who asks">
      <p>
        {name} asks the addresses of its tools by itself, with the user agent <code>Beckon</code>:
        whether they answer, every 15 minutes, and what else stands on the data sheets a few times a
        day or less. It sends no credentials and pays for nothing. A demand for credentials or
        payment counts as an answer.
      </p>
      <p>
        One request is in flight to a host at a time. <code>Retry-After</code> and{' '}
        <code>robots.txt</code> are kept to; two lines there end all of it:
      </p>
      <pre class="code">{'User-agent: Beckon\nDisallow: /'}</pre>
      {contact && (
        <p>
          Or write to the people behind this catalog:{' '}
          <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
        </p>
      )}
    </SheetSection>
  )
}
