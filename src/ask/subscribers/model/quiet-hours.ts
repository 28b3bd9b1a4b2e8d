import { type Static, Type } from '@sinclair/typebox'
import { PatternMeaning } from '../../../platform/schema.ts'

const clockTime = (description: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    [PatternMeaning]: 'must be a time like 22:30',
    description,
  })

export const QuietHours = Type.Object(
  {
    from: clockTime('When they begin.'),
    to: clockTime('When they end; earlier than `from` means the next day.'),
    zone: Type.String({ description: 'Time zone, for example Europe/Berlin.' }),
  },
  { additionalProperties: false },
)
export type QuietHours = Static<typeof QuietHours>

/** Returns true if `now` is in the quiet hours, by local time in their time zone. */
export function isQuiet(quietHours: QuietHours | null, now: number): boolean {
  if (!quietHours) return false
  const time = wallClock(now, quietHours.zone)
  const { from, to } = quietHours
  if (from <= to) return from <= time && time < to
  return time >= from || time < to
}

/** `HH:MM`; sorts like the time it stands for. */
function wallClock(now: number, zone: string): string {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const
  return new Intl.DateTimeFormat('en-GB', parts).format(now)
}

/**
 * When the quiet hours that it is in now end, in milliseconds; undefined outside of them. The clock
 * on the wall decides, also on the day that it is changed.
 */
export function quietUntil(quietHours: QuietHours | null, now: number): number | undefined {
  if (!quietHours || !isQuiet(quietHours, now)) return undefined
  const { to, zone } = quietHours
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const ends = [0, 1].flatMap((days) => {
    const end = today.add({ days }).toPlainDateTime(Temporal.PlainTime.from(to))
    // A time that the clock shows twice, or not at all, has two of these.
    return (['earlier', 'later'] as const).map(
      (disambiguation) => end.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
    )
  })
  return ends.find((at) => at > now && !isQuiet(quietHours, at))
}
