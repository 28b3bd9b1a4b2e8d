/** @jsxImportSource preact */

import { percentile } from '../../facts/answers/fact.ts'
import { SPEED_DAYS, type SpeedHistory } from '../../facts/answers/speed-history.ts'
import { dayWords, number } from '../words.ts'

const STEP = 4
const WIDTH = (SPEED_DAYS - 1) * STEP
const HEIGHT = 60
const MONTH = 30
const WEEK = 7
const DAY_MS = 86_400_000

type Props = { speeds: SpeedHistory; today: string }

/**
 * The daily response times of 90 days: a line for the median, a band up to the 95th percentile, a
 * mark where the last 30 days begin, and the same by week in words. Days without a value are gaps.
 */
export function SpeedChart({ speeds, today }: Props) {
  const most = Math.max(...speeds.p95ms)
  const y = (ms: number) => Math.round(10 * (HEIGHT - (HEIGHT * ms) / (most || 1))) / 10
  const runs = daysInRow(speeds.p50ms)
  const line = runs
    .map((days) => path(days.map((day) => [day, y(speeds.p50ms[day] ?? 0)])))
    .join('')
  const band = runs
    .map((days) => {
      const top = days.map((day): Point => [day, y(speeds.p95ms[day] ?? 0)])
      const bottom = days.map((day): Point => [day, y(speeds.p50ms[day] ?? 0)])
      return `${path([...top, ...bottom.toReversed()])}Z`
    })
    .join('')
  const monthAt = (SPEED_DAYS - MONTH) * STEP
  return (
    <figure>
      <svg
        class="speeds hover"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {runs.flat().map((day) => (
          <g>
            <title>{wordsOf(speeds, day, today)}</title>
            <rect x={day * STEP - STEP / 2} y="0" width={STEP} height={HEIGHT} />
          </g>
        ))}
        <path class="band" d={band} />
        <path class="median" d={line} />
        <line class="month" x1={monthAt} x2={monthAt} y1="0" y2={HEIGHT} />
      </svg>
      <figcaption>
        Response time by day, today on the right; the last {MONTH} days begin at the dashed line.
        Daily median: <Median speeds={speeds} days={MONTH} />,{' '}
        <Median speeds={speeds} days={SPEED_DAYS} />. The band reaches to the time within which 95
        of 100 answers came, at most {number(most)} ms.
        <Weeks speeds={speeds} today={today} />
      </figcaption>
    </figure>
  )
}

/** What the chart shows on hover; the list by week says the same to everybody. */
function wordsOf({ p50ms, p95ms }: SpeedHistory, day: number, today: string): string {
  const times = `${number(p50ms[day] ?? 0)} ms, 95 of 100 within ${number(p95ms[day] ?? 0)} ms`
  return `${dayAgo(today, SPEED_DAYS - 1 - day)}: ${times}`
}

function dayAgo(today: string, days: number): string {
  return dayWords(new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10))
}

function Median({ speeds, days }: { speeds: SpeedHistory; days: number }) {
  const median = percentile(timesOf(speeds.p50ms.slice(-days)), 0.5)
  if (median === null) return <>no answer in {days} days</>
  return (
    <>
      <b class="number">{number(median)} ms</b> in {days} days
    </>
  )
}

function Weeks({ speeds, today }: Props) {
  const ends = Array.from({ length: Math.ceil(SPEED_DAYS / WEEK) }, (_, week) => week * WEEK)
  return (
    <details>
      <summary>By week</summary>
      <ol>
        {ends.map((ago) => {
          const end = SPEED_DAYS - ago
          const week = (values: Int32Array) => timesOf(values.slice(Math.max(0, end - WEEK), end))
          const median = percentile(week(speeds.p50ms), 0.5)
          const slowest = Math.max(...week(speeds.p95ms))
          return (
            <li>
              to {dayAgo(today, ago)}:{' '}
              {median === null
                ? 'not known'
                : `${number(median)} ms, slowest ${number(slowest)} ms`}
            </li>
          )
        })}
      </ol>
    </details>
  )
}

function timesOf(values: Int32Array): number[] {
  return [...values].filter((ms) => ms >= 0)
}

/** The indexes of days with a value, in groups that follow one another. */
function daysInRow(values: Int32Array): number[][] {
  const rows: number[][] = []
  for (const [day, ms] of values.entries()) {
    if (ms < 0) continue
    const last = rows.at(-1)
    if (last?.at(-1) === day - 1) last.push(day)
    else rows.push([day])
  }
  return rows
}

type Point = readonly [day: number, y: number]

/** A path through points; a single day is a short stroke, so that it can be seen. */
function path(points: readonly Point[]): string {
  const text = points.map(([day, y], i) => `${i === 0 ? 'M' : 'L'}${day * STEP} ${y}`).join('')
  return points.length === 1 ? `${text}h2` : text
}
