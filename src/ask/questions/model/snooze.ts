import type { Question } from './question.ts'

export const SNOOZE_LENGTHS = ['5_minutes', '15_minutes', 'until_end'] as const
/** For how long a question is snoozed; `until_end`: until a minute before it ends. */
export type SnoozeLength = (typeof SNOOZE_LENGTHS)[number]

/** A snoozed question is back at least this long before it ends, in milliseconds. */
const BACK_BEFORE_MS = 60_000

const MINUTES: Record<SnoozeLength, number> = {
  '5_minutes': 5,
  '15_minutes': 15,
  until_end: Number.POSITIVE_INFINITY,
}

/**
 * When a question that is snoozed at `now` comes back; undefined if it ends too soon to be snoozed.
 * A question that is given a longer life later still comes back then: nobody snoozed it for longer.
 */
export function snoozedUntil(
  { expiresAt }: Pick<Question, 'expiresAt'>,
  length: SnoozeLength,
  now: number,
): number | undefined {
  const until = Math.min(now + MINUTES[length] * 60_000, expiresAt - BACK_BEFORE_MS)
  return until > now ? until : undefined
}

/** Lists the lengths that can be chosen, without those that would be cut short by the end. */
export function lengthsFor(question: Pick<Question, 'expiresAt'>, now: number): SnoozeLength[] {
  const last = snoozedUntil(question, 'until_end', now)
  if (last === undefined) return []
  return SNOOZE_LENGTHS.filter(
    (length) => length === 'until_end' || now + MINUTES[length] * 60_000 < last,
  )
}
