import type { PersonId } from '../../accounts/model/ids.ts'
import type { Crew, Plan, RotaPerson, Standing } from './on-call.ts'
import type { FeedShift, RotaFeed } from './rota.ts'

const DAY_MS = 24 * 3_600_000
/** For how long what was read of a calendar counts while it cannot be read again. */
const STALE_AFTER_MS = DAY_MS
/** How much of a calendar is read: from before now to after it. */
export const WINDOW = { beforeMs: DAY_MS, afterMs: 60 * DAY_MS } as const

/** The plan that a calendar has, as it is known at `now`. */
export function planOfFeed(feed: RotaFeed | undefined, crew: Crew, now: number): Plan {
  const { readAt, problem, shifts = [] } = feed ?? {}
  if (readAt === undefined) {
    return unknownPlan(problem ? `The calendar was never read: ${problem}` : NOT_YET)
  }
  if (now - readAt > STALE_AFTER_MS) {
    return unknownPlan(`The calendar could not be read for a day: ${problem ?? 'nobody tried'}`)
  }
  const end = readAt + WINDOW.afterMs
  const edges = [...new Set([...shifts.flatMap(({ from, to }) => [from, to]), end])].sort(
    (a, b) => a - b,
  )
  const byEmail = new Map([...crew.values()].map((one) => [one.email.toLowerCase(), one]))
  return {
    order: [],
    at(at) {
      if (at >= end) return unknown('The calendar is only read sixty days ahead')
      const shift = shortest(shifts.filter(({ from, to }) => from <= at && at < to))
      if (!shift) return { kind: 'nobody', reason: 'The calendar has no event for this time' }
      return standingOf(shift, byEmail, crew)
    },
    next: (at) => edges.find((edge) => edge > at),
  }
}

const NOT_YET = 'The calendar has not been read yet'

function unknown(reason: string): Standing {
  return { kind: 'unknown', reason }
}

function unknownPlan(reason: string): Plan {
  return { at: () => unknown(reason), next: () => undefined, order: [] }
}

/** An event within another one replaces it for its time. */
function shortest(shifts: readonly FeedShift[]): FeedShift | undefined {
  const length = ({ from, to }: FeedShift) => to - from
  return shifts.reduce<FeedShift | undefined>(
    (best, one) => (!best || length(one) < length(best) ? one : best),
    undefined,
  )
}

/**
 * Whose time an event is: of its one attendee who is a person here, else of the person whose name is
 * its title, else of its organizer, who often only wrote it down.
 */
function standingOf(
  { attendees, organizer, summary }: FeedShift,
  byEmail: ReadonlyMap<string, RotaPerson>,
  crew: Crew,
): Standing {
  const of = (email: string) => byEmail.get(email.toLowerCase())?.id
  const people = new Set(attendees.flatMap((email) => of(email) ?? []))
  const titled = byTitle(summary, crew)
  if (people.size > 1 && titled === undefined) people.delete(of(organizer) ?? '')
  if (people.size > 1 && !(titled && people.has(titled))) {
    return unknown(`${eventWords(summary)} names several people here`)
  }
  const [attendee] = people
  const personId = people.size === 1 ? attendee : (titled ?? of(organizer))
  if (personId) return { kind: 'person', personId }
  return { kind: 'nobody', reason: `${eventWords(summary)} names nobody here` }
}

function eventWords(summary: string): string {
  return summary.trim() === '' ? 'An event without a title' : `The event “${summary}”`
}

/** The one person whose name is the title. */
function byTitle(summary: string, crew: Crew): PersonId | undefined {
  const people = [...crew.values()].filter(({ name }) => sameName(name, summary))
  return people.length === 1 ? people[0]?.id : undefined
}

function sameName(one: string, other: string): boolean {
  const plain = (text: string) => text.normalize('NFC').trim().toLowerCase()
  return plain(one) === plain(other)
}
