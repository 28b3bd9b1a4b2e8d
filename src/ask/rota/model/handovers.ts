import type { Schedule } from './rota.ts'

/** A turn: its number from 0, and the moments at which it begins and the next one begins. */
type Turn = { number: number; from: number; to: number }

type Handovers = Pick<Schedule, 'startsOn' | 'at' | 'everyDays'> & { zone: string }

/**
 * Returns the turn at `at`; undefined before the first. Handovers follow the clock on the wall: a time
 * that the start of summer time skips is later by what was skipped, and of a time that comes twice the
 * second counts.
 */
export function turnAt(handovers: Handovers, at: number): Turn | undefined {
  const { startsOn, zone, everyDays } = handovers
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
  const days = Temporal.PlainDate.from(startsOn).until(today, { largestUnit: 'day' }).days
  // Before today's handover, and where a zone left out a day, it is one of the neighbours.
  let number = Math.floor(days / everyDays)
  while (handoverOf(handovers, number) > at) number--
  while (handoverOf(handovers, number + 1) <= at) number++
  if (number < 0) return undefined
  return { number, from: handoverOf(handovers, number), to: handoverOf(handovers, number + 1) }
}

/** The moment at which turn `number` begins. */
export function handoverOf({ startsOn, at, zone, everyDays }: Handovers, number: number): number {
  const date = Temporal.PlainDate.from(startsOn).add({ days: number * everyDays })
  const time = Temporal.PlainTime.from(at)
  const handover = date.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'later' })
  return handover.epochMilliseconds
}
