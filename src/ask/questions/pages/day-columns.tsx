/** @jsxImportSource preact */

import { dayLabel } from '../../pages/times.ts'
import type { EndedDay } from '../read-ended-days.ts'

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

/** A tenth of a unit is less than anybody sees. */
export function round(units: number): number {
  return Math.round(units * 10) / 10
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
