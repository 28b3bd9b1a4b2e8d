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

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Whether `now` is in the quiet hours, by local time in their time zone. */
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
