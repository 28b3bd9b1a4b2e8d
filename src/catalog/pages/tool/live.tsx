/** @jsxImportSource preact */

import { DAYS_SHOWN, type LiveProbe } from '../../facts/answers/fact.ts'
import type { SpeedHistory } from '../../facts/answers/speed-history.ts'
import type { FactModule } from '../../facts/fact.ts'
import { FACTS } from '../../facts/facts.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { LiveDot, percent } from '../parts/marks.tsx'
import { PAGE_KIT } from '../parts/page-kit.tsx'
import { SheetSection } from '../parts/section.tsx'
import { dayWords, number, plural } from '../words.ts'
import { SpeedChart } from './speed-chart.tsx'

type Props = { snapshot: CatalogSnapshot; tool: ToolDetail; facts?: readonly FactModule[] }

/** The measurements: the rows of every fact in their order, or a note that there are none. */
export function LiveSection({ snapshot, tool, facts = FACTS }: Props) {
  const { live } = tool
  const { probe } = live
  return (
    <SheetSection id="live" title="Measured">
      {probe ? (
        <Probe
          probe={probe}
          tool={tool}
          today={snapshot.today}
          speeds={snapshot.speeds?.get(tool.slug)}
        />
      ) : (
        <p class="measured">
          <LiveDot tool={tool} />
        </p>
      )}
      <dl class="facts">{facts.map((fact) => fact.html?.(live, PAGE_KIT))}</dl>
    </SheetSection>
  )
}

type ProbeProps = {
  probe: LiveProbe
  tool: ToolDetail
  today: string
  speeds: SpeedHistory | undefined
}

function Probe({ probe, tool, today, speeds }: ProbeProps) {
  const { uptime24h, uptime30d, p50ms24h, p95ms24h, samples24h, samples30d } = probe
  return (
    <>
      <p class="measured">
        <LiveDot tool={tool} />
        <span class="soft">
          {probe.lastStatus !== null && `last answer ${probe.lastStatus}`}
          {probe.lastMs !== null && ` in ${number(probe.lastMs)} ms`}
          {probe.authRequired && ', asks for credentials'}
        </span>
      </p>
      {samples30d > 0 && (
        <figure>
          <UptimeStrip days={probe.days} today={today} />
          <figcaption>
            Uptime of {DAYS_SHOWN} days, today on the right.{' '}
            {uptime30d !== null && (
              <>
                <b class="number">{percent(uptime30d)}</b> in 30 days ({plural(samples30d, 'probe')}
                )
              </>
            )}
            {uptime24h !== null && `, ${percent(uptime24h)} in 24 hours`}.
            <UptimeWeeks days={probe.days} today={today} />
          </figcaption>
        </figure>
      )}
      {p50ms24h !== null && p95ms24h !== null && (
        <figure>
          <SpeedLine p50={p50ms24h} p95={p95ms24h} />
          <figcaption>
            Half of the answers within <b class="number">{number(p50ms24h)} ms</b>, 95 of 100 within{' '}
            <b class="number">{number(p95ms24h)} ms</b> ({plural(samples24h, 'probe')} in 24 hours).
          </figcaption>
        </figure>
      )}
      {speeds && <SpeedChart speeds={speeds} today={today} />}
    </>
  )
}

const STEP = 5

/** One bar for each day: full means up all day, short means partly, a stroke means not measured. */
function UptimeStrip({ days, today }: { days: LiveProbe['days']; today: string }) {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const end = Date.parse(today)
  const bars = Array.from({ length: DAYS_SHOWN }, (_, i) => {
    const date = new Date(end - (DAYS_SHOWN - 1 - i) * 86_400_000).toISOString().slice(0, 10)
    const day = byDate.get(date)
    return { x: i * STEP, words: `${dayWords(date)}: ${probesOf(day)}`, ...barOf(day) }
  })
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${DAYS_SHOWN * STEP - 2} 28`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ x, height, state, words }) => (
        <rect class={state} x={x} y={28 - height} width="3" height={height}>
          <title>{words}</title>
        </rect>
      ))}
    </svg>
  )
}

function probesOf(day: LiveProbe['days'][number] | undefined): string {
  return !day || day.probes === 0
    ? 'not measured'
    : `${day.ok} of ${plural(day.probes, 'probe')} answered`
}

const WEEK = 7

/** The strip in words, for readers without a mouse. */
function UptimeWeeks({ days, today }: { days: LiveProbe['days']; today: string }) {
  const end = Date.parse(today)
  const weeks = Array.from({ length: Math.ceil(DAYS_SHOWN / WEEK) }, (_, week) => {
    const last = end - week * WEEK * 86_400_000
    const inside = days.filter(({ date }) => {
      const age = (last - Date.parse(date)) / 86_400_000
      return age >= 0 && age < WEEK
    })
    const sum = (of: 'probes' | 'ok') => inside.reduce((total, day) => total + day[of], 0)
    const date = new Date(last).toISOString().slice(0, 10)
    return { date, words: probesOf({ date, probes: sum('probes'), ok: sum('ok') }) }
  })
  return (
    <details>
      <summary>By week</summary>
      <ol>
        {weeks.map(({ date, words }) => (
          <li>
            to {dayWords(date)}: {words}
          </li>
        ))}
      </ol>
    </details>
  )
}

function barOf(day: LiveProbe['days'][number] | undefined) {
  if (!day || day.probes === 0) return { height: 2, state: 'none' }
  const share = day.ok / day.probes
  if (share === 1) return { height: 28, state: 'up' }
  return { height: Math.max(4, Math.round(24 * share)), state: share >= 0.9 ? 'part' : 'down' }
}

const LEAST_MS = 10
const MOST_MS = 10_000

/** Two response times on a logarithmic scale from 10 ms to 10 s. */
function SpeedLine({ p50, p95 }: { p50: number; p95: number }) {
  const at = (ms: number) => {
    const clamped = Math.min(Math.max(ms, LEAST_MS), MOST_MS)
    return 4 + (292 * Math.log(clamped / LEAST_MS)) / Math.log(MOST_MS / LEAST_MS)
  }
  return (
    <svg class="speed" viewBox="0 0 300 34" aria-hidden="true">
      <line class="axis" x1="4" x2="296" y1="12" y2="12" />
      {[10, 100, 1_000, 10_000].map((ms) => (
        <>
          <line class="axis" x1={at(ms)} x2={at(ms)} y1="8" y2="16" />
          <text x={at(ms)} y="30" text-anchor={anchorOf(ms)}>
            {ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}
          </text>
        </>
      ))}
      <line class="range" x1={at(p50)} x2={at(p95)} y1="12" y2="12" />
      <circle class="p50" cx={at(p50)} cy="12" r="5" />
      <circle class="p95" cx={at(p95)} cy="12" r="5" />
    </svg>
  )
}

function anchorOf(ms: number): 'start' | 'middle' | 'end' {
  if (ms === LEAST_MS) return 'start'
  return ms === MOST_MS ? 'end' : 'middle'
}
