import type { ChangeItem } from './change.ts'

/**
 * A withdrawn change as feeds and pages tell it: a notice of the day on which it was withdrawn, so
 * that a reader who knows no `status` is not told that it will happen. Any other change is returned
 * as it is. `runDate` stands in for a day of withdrawal that is still to come.
 */
export function withdrawnAsNotice(change: ChangeItem, today: string, runDate: string): ChangeItem {
  if (change.status !== 'withdrawn') return change
  const { kind, date, what, replacement: _, ...rest } = change
  const noun = NOUNS[kind] ?? 'change'
  return {
    ...rest,
    date: change.updated <= today ? change.updated : runDate,
    datePrecision: 'day',
    kind: 'notice',
    what: `Withdrawn: the ${noun} dated ${date} will not happen as announced. It read: ${what}`,
    withdrawn: { kind, date },
  }
}

const NOUNS: Record<string, string> = {
  shutdown: 'shutdown',
  breaking: 'breaking change',
  rename: 'rename',
  price: 'price change',
  removal: 'removal',
}
