import { type Static, Type } from '@sinclair/typebox'
import { closed, countField, day, link, openWord, slug, sourceLink, textField } from './words.ts'

export const CHANGE_KINDS = [
  'shutdown',
  'breaking',
  'rename',
  'notice',
  'price',
  'removal',
] as const
/** The kinds in words for people. */
export const CHANGE_KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ['shutdown', 'Shutdown'],
  ['breaking', 'Breaking change'],
  ['rename', 'Rename'],
  ['notice', 'Notice'],
  ['price', 'Price change'],
  ['removal', 'Removal'],
])
export const DATE_PRECISIONS = ['day', 'month', 'quarter', 'year'] as const
export const CHANGE_STATES = ['announced', 'confirmed', 'withdrawn'] as const

/** One dated change, past or to come. */
export const ChangeItem = closed(
  {
    date: day('Day on which it takes effect.'),
    kind: openWord('What sort of change.', CHANGE_KINDS),
    name: textField('Name of the tool.', 200),
    tool: slug('The tool.'),
    url: link('Page of the tool.'),
    source: sourceLink('Where it was announced.'),
    what: textField('What changes.'),
    id: slug('Identifier of the change; never used for another one.'),
    announced: Type.Optional(day('Day of the announcement.')),
    datePrecision: openWord('How exact the date is.', DATE_PRECISIONS),
    replacement: Type.Optional(textField('What to use instead: a slug or a name.', 200)),
    endsPart: Type.Optional(
      textField('The part that ends, such as a release; the tool goes on.', 200),
    ),
    status: openWord('Whether it still holds.', CHANGE_STATES),
    sequence: countField('Grows with each change of this entry after it was first published.'),
    updated: Type.Optional(
      day('Day on which this entry last changed in this catalog. Absent: it is not published.'),
    ),
    withdrawn: Type.Optional(
      closed(
        {
          kind: openWord('What sort of change it was.', CHANGE_KINDS),
          date: day('Day on which it would have taken effect.'),
        },
        'Only of a withdrawn change, which is shown as a notice.',
      ),
    ),
  },
  'A dated change.',
)
export type ChangeItem = Static<typeof ChangeItem>

/** A removed slug (`removed.yaml`). */
export const Tombstone = closed(
  {
    slug: slug('The slug, never used again.'),
    date: day('Day of the removal.'),
    reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.' }),
    renamedTo: Type.Optional(slug('The record goes on under this slug; its addresses redirect.')),
    replacement: Type.Optional(slug('Another record to use instead.')),
  },
  'A removed or renamed record.',
)
export type Tombstone = Static<typeof Tombstone>

/**
 * Turns a withdrawn change into a notice of the day on which it was withdrawn, so that a reader who
 * ignores `status` does not announce it. Other changes are returned unchanged. `runDate` replaces a
 * withdrawal day in the future.
 */
export function withdrawnAsNotice(change: ChangeItem, today: string, runDate: string): ChangeItem {
  if (change.status !== 'withdrawn') return change
  const { kind, date, what, replacement: _, endsPart: __, ...rest } = change
  const noun = NOUNS[kind] ?? 'change'
  return {
    ...rest,
    date: change.updated !== undefined && change.updated <= today ? change.updated : runDate,
    datePrecision: 'day',
    kind: 'notice',
    what: `Withdrawn: the ${noun} dated ${date} will not happen as announced. It read: ${what}`,
    withdrawn: { kind, date },
  }
}

/** The change that ended a part last, and the number of other parts that ended. */
export type EndedParts = { last: ChangeItem; others: number }

/** The parts that ended by `today`, of the changes of one tool, newest first. */
export function endedParts(changes: readonly ChangeItem[], today: string): EndedParts | undefined {
  const [last, ...others] = changes.filter(
    ({ endsPart, date }) => endsPart !== undefined && date <= today,
  )
  const parts = new Set(others.map(({ endsPart }) => endsPart))
  if (last) parts.delete(last.endsPart)
  return last && { last, others: parts.size }
}

const NOUNS: Record<string, string> = {
  shutdown: 'shutdown',
  breaking: 'breaking change',
  rename: 'rename',
  price: 'price change',
  removal: 'removal',
}

const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 }

/** The last day that a date of this precision can mean: 2026-05-01 by quarter → 2026-06-30. */
export function lastDayOf(date: string, precision: string | undefined): string {
  const length = MONTHS[precision ?? 'day']
  if (length === undefined) return date
  const [year = 0, month = 1] = date.split('-').map(Number)
  const next = Math.floor((month - 1) / length + 1) * length
  return new Date(Date.UTC(year, next, 0)).toISOString().slice(0, 10)
}

type Dated = { readonly id: string; readonly date: string }

/**
 * Past changes, newest first, and coming ones, soonest first; those of one day by id. `today` is a
 * day like `2026-11-21`.
 */
export function splitChanges<T extends Dated>(
  changes: readonly T[],
  today: string,
): { recent: T[]; upcoming: T[] } {
  const recent = changes.filter((change) => change.date <= today)
  const upcoming = changes.filter((change) => change.date > today)
  return {
    recent: recent.sort((a, b) => order(b.date, a.date) || order(a.id, b.id)),
    upcoming: upcoming.sort((a, b) => order(a.date, b.date) || order(a.id, b.id)),
  }
}

/** By code units: the same on every machine, whatever its language. */
function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
