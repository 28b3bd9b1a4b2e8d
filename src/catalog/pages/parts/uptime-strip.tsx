/** @jsxImportSource preact */

import type { LiveProbe } from '../../facts/answers/fact.ts'
import { DAYS_SHOWN as DAYS } from '../../facts/answers/fact.ts'

const STEP = 5

/** The days that are served, one bar each: full is up all day, short is partly, a stroke is not measured. */
export function UptimeStrip({ days, today }: { days: LiveProbe['days']; today: string }) {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const end = Date.parse(today)
  const bars = Array.from({ length: DAYS }, (_, i) => {
    const date = new Date(end - (DAYS - 1 - i) * 86_400_000).toISOString().slice(0, 10)
    return { x: i * STEP, ...barOf(byDate.get(date)) }
  })
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${DAYS * STEP - 2} 28`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ x, height, state }) => (
        <rect class={state} x={x} y={28 - height} width="3" height={height} />
      ))}
    </svg>
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

/** Two speeds on a line from 10 ms to 10 s, each step ten times the one before. */
export function SpeedLine({ p50, p95 }: { p50: number; p95: number }) {
  const at = (ms: number) => {
    const held = Math.min(Math.max(ms, LEAST_MS), MOST_MS)
    return 4 + (292 * Math.log(held / LEAST_MS)) / Math.log(MOST_MS / LEAST_MS)
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
