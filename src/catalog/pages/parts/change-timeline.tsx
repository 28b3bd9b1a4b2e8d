/** @jsxImportSource preact */
import type { ChangeItem } from '../../records/change.ts'
import { plural } from '../words.ts'

const MONTHS_BEFORE = 6
const MONTHS_AFTER = 12
const LABEL_EVERY = 3
const STEP = 40
const HEIGHT = 64
const BLOCK_MOST = 14

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

/** Eighteen months at a glance: a column a month, a block a change, and a line for today. */
export function ChangeTimeline({ items, today }: { items: readonly ChangeItem[]; today: string }) {
  const months = monthsAround(today)
  const counts = months.map((month) => items.filter(({ date }) => date.startsWith(month)).length)
  const unit = Math.min(BLOCK_MOST, (HEIGHT - 4) / Math.max(...counts, 1))
  const now = (MONTHS_BEFORE + (Number(today.slice(8, 10)) - 1) / 31) * STEP
  const inside = counts.reduce((sum, count) => sum + count, 0)
  return (
    <figure class="time-line">
      <svg
        viewBox={`0 0 ${STEP * months.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {counts.flatMap((count, month) =>
          Array.from({ length: count }, (_, n) => (
            <rect
              class={month * STEP < now ? 'past' : 'ahead'}
              x={month * STEP + 2}
              y={HEIGHT - 1 - (n + 1) * unit}
              width={STEP - 4}
              height={Math.max(0.5, unit - 2)}
            />
          )),
        )}
        <line class="axis" x1="0" x2={STEP * months.length} y1={HEIGHT} y2={HEIGHT} />
        <line class="now" x1={now} x2={now} y1="0" y2={HEIGHT} />
      </svg>
      <p class="months" aria-hidden="true">
        {months
          .filter((_, i) => i % LABEL_EVERY === 0)
          .map((month, i, all) => (
            <span>{monthWords(month, all[i - 1] ?? month)}</span>
          ))}
      </p>
      <figcaption class="unseen">
        {plural(inside, 'change')} from six months ago to a year from now, by month.
      </figcaption>
    </figure>
  )
}

/** The year is said where it begins. */
function monthWords(month: string, before: string): string {
  const name = monthFormat.format(Date.parse(`${month}-01`))
  const year = month.slice(0, 4)
  return before.startsWith(year) ? name : `${name} ${year}`
}

function monthsAround(today: string): string[] {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7)) - 1
  return Array.from({ length: MONTHS_BEFORE + MONTHS_AFTER }, (_, i) =>
    new Date(Date.UTC(year, month - MONTHS_BEFORE + i, 1)).toISOString().slice(0, 7),
  )
}
