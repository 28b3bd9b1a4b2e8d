/** @jsxImportSource preact */
import { isoTime } from '../../platform/clock.ts'
import { calendarDay, clockTime, dayLabel, exactTime, relativeTime } from './times.ts'
import type { Moment } from './visit.ts'

/** `4 min ago`, with the exact time on hover. */
export function Ago({ at, moment }: { at: number; moment: Moment }) {
  return (
    <time dateTime={isoTime(at)} title={exactTime(at, moment.zone)} data-show="ago">
      {relativeTime(at, moment.now, moment.zone)}
    </time>
  )
}

/** `14:02`, with the exact time on hover. */
export function AtClock({ at, moment }: { at: number; moment: Moment }) {
  return (
    <time dateTime={isoTime(at)} title={exactTime(at, moment.zone)} data-show="clock">
      {clockTime(at, moment.zone)}
    </time>
  )
}

/** `Mon 23 Nov`, with the exact time on hover. */
export function OnDay({ at, moment: { zone } }: { at: number; moment: Moment }) {
  return (
    <time dateTime={isoTime(at)} title={exactTime(at, zone)}>
      {dayLabel(calendarDay(at, zone))}
    </time>
  )
}

/** `14:02` if that is today, otherwise `Mon 23 Nov, 14:02`. */
export function AtTime({ at, moment }: { at: number; moment: Moment }) {
  const { now, zone } = moment
  const day = calendarDay(at, zone)
  if (day === calendarDay(now, zone)) return <AtClock at={at} moment={moment} />
  return (
    <time dateTime={isoTime(at)} title={exactTime(at, zone)}>
      {dayLabel(day)}, {clockTime(at, zone)}
    </time>
  )
}
