/** @jsxImportSource preact */

import { dayLabel, measuredTime } from '../../pages/times.ts'
import type { EndedDay } from '../read-ended-days.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MARKS = [
  [1_000, '1 s'],
  [10_000, '10 s'],
  [MINUTE, '1 min'],
  [10 * MINUTE, '10 min'],
  [HOUR, '1 h'],
  [24 * HOUR, '1 day'],
  [7 * 24 * HOUR, '7 days'],
] as const

/** How long people took, day by day: half of the answers, and nine of ten; each step up is longer. */
export function AnswerTimes({ days }: { days: EndedDay[] }) {
  const most = Math.max(0, ...days.map(({ p90 }) => p90 ?? 0))
  const top = Math.max(
    2,
    MARKS.findIndex(([ms]) => ms >= most),
  )
  const marks = MARKS.slice(0, top + 1)
  const high = marks.at(-1)?.[0] ?? MINUTE
  const place = (ms: number) => {
    const share = Math.log(Math.max(ms, 1_000) / 1_000) / Math.log(high / 1_000)
    return round(BOTTOM - share * (BOTTOM - TOP))
  }
  return (
    <figure class="chart">
      <figcaption>Time until people answered</figcaption>
      <svg viewBox="0 0 320 124" role="img" aria-label="Time until people answered, day by day">
        {marks.map(([ms, name]) => (
          <>
            <line
              class={ms === 1_000 ? 'axis' : 'grid'}
              x1={LEFT}
              x2={WIDTH}
              y1={place(ms)}
              y2={place(ms)}
            />
            <text x={LEFT - 4} y={place(ms) + 4} class="end">
              {name}
            </text>
          </>
        ))}
        {days.map((day, at) => (
          <Day day={day} place={place} column={columnOf(at, days.length)} />
        ))}
        <DayNames days={days} />
      </svg>
      <ul class="chart-key">
        <li>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <line class="half" x1="1" x2="11" y1="6" y2="6" />
          </svg>
          Half of the answers
        </li>
        <li>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path class="most" d="M1 2h10M6 2v10" />
          </svg>
          Nine of ten
        </li>
      </ul>
    </figure>
  )
}

type DayProps = {
  day: EndedDay
  place: (ms: number) => number
  column: ReturnType<typeof columnOf>
}

function Day({ day: { day, median, p90 }, place, column: { x, width } }: DayProps) {
  if (median === undefined || p90 === undefined) return null
  const [from, to, middle] = [x + 1, x + width - 1, x + width / 2]
  return (
    <g>
      <title>{`${dayLabel(day)}: half within ${measuredTime(median)}, nine of ten within ${measuredTime(p90)}`}</title>
      <path
        class="most"
        d={`M${from} ${place(p90)}H${to}M${middle} ${place(p90)}V${place(median)}`}
      />
      <line class="half" x1={from} x2={to} y1={place(median)} y2={place(median)} />
    </g>
  )
}

// The room of a chart, in units of its drawing: at 390 px about a pixel each.
export const WIDTH = 320
export const BOTTOM = 104
export const TOP = 14
/** Where the columns begin; what the lines mean stands left of it. */
export const LEFT = 44

/** Where the column of a day begins, and how wide it is. */
export function columnOf(at: number, days: number): { x: number; width: number } {
  const width = (WIDTH - LEFT) / days
  return { x: round(LEFT + at * width), width: round(width) }
}

/** Half a unit is less than anybody sees, and the page is lighter. */
export function round(units: number): number {
  return Math.round(units * 2) / 2
}

/** The first and the last day, below a chart. */
export function DayNames({ days }: { days: EndedDay[] }) {
  return (
    <>
      <text x={LEFT} y="121">
        {dayLabel(days[0]?.day ?? '').slice(4)}
      </text>
      <text x={WIDTH} y="121" class="end">
        Today
      </text>
    </>
  )
}
