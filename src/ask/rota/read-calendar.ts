import { runInSteps } from '../../platform/run-in-steps.ts'
import { type CalendarEvent, occurrencesOf, readEvent } from './model/calendar-event.ts'
import { type CalendarTime, type Property, short } from './model/calendar-time.ts'
import type { FeedShift } from './model/rota.ts'
import { Unreadable } from './model/unreadable.ts'

type Component = [name: string, properties: Property[], components: Component[]]

/** The days that are looked at, for all events that repeat: enough for hundreds, and done in a second. */
const DAYS_MAX = 200_000
/** The beginnings of events that are worked out. */
const OCCURRENCES_MAX = 10_000
const EVENTS_MAX = 2_000
const LINE_MAX = 64_000

/**
 * Reads the events of a calendar, in iCalendar (RFC 5545), that touch the window. Days, and times
 * without a zone, are of `zone`. What is not understood makes the whole calendar unreadable, because
 * the rest would say that somebody else is on call. The problem is a clause, without its end.
 */
export async function readCalendar(
  text: string,
  zone: string,
  window: { from: number; to: number },
): Promise<{ shifts: FeedShift[] } | { problem: string }> {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split('\n')
  if (lines.some(({ length }) => length > LINE_MAX)) {
    return { problem: `it has a line of more than ${LINE_MAX} characters` }
  }
  const calendars = await parse(text)
  if (!calendars) return { problem: 'what came is no calendar' }
  try {
    const events = calendars
      .flatMap(([, , components]) => components)
      .flatMap(([name, properties]) => (name === 'vevent' ? [properties] : []))
    return { shifts: await runInSteps(shiftsOf(events, zone, window)) }
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message }
    throw error
  }
}

/** The calendars of a text; undefined if there is none. */
async function parse(text: string): Promise<Component[] | undefined> {
  // Few servers read a calendar, so the start does without the library.
  const { default: ICAL } = await import('ical.js')
  try {
    const parsed = ICAL.parse(text) as Component | Component[]
    const list = (typeof parsed[0] === 'string' ? [parsed] : parsed) as Component[]
    const calendars = list.filter(([name]) => name === 'vcalendar')
    return calendars.length > 0 ? calendars : undefined
  } catch {
    return undefined
  }
}

function* shiftsOf(
  texts: ReadonlyArray<readonly Property[]>,
  zone: string,
  window: { from: number; to: number },
): Generator<void, FeedShift[]> {
  const events: CalendarEvent[] = []
  for (const properties of texts) {
    const event = inEvent(properties, () => readEvent(properties, zone))
    if (event) events.push(event)
    yield
  }
  const replacing = Map.groupBy(
    events.filter(({ replaces }) => replaces),
    ({ uid }) => uid,
  )
  const spend = createBudget()
  const shifts: FeedShift[] = []
  for (const event of events) {
    yield
    if (event.isCancelled) continue
    const replaced: CalendarTime[] = event.replaces
      ? []
      : (replacing.get(event.uid) ?? []).flatMap(({ replaces }) => replaces ?? [])
    for (const { from, to } of occurrencesOf(event, replaced, window, spend)) {
      shifts.push({ from, to, ...event.who })
      if (shifts.length > EVENTS_MAX)
        throw new Unreadable(`it has more than ${EVENTS_MAX} events in two months`)
    }
  }
  return shifts.sort((a, b) => a.from - b.from || a.to - b.to)
}

function createBudget() {
  let [days, occurrences] = [DAYS_MAX, OCCURRENCES_MAX]
  return (lookedAt: number, workedOut = 0) => {
    days -= lookedAt
    occurrences -= workedOut
    if (days < 0 || occurrences < 0) throw new Unreadable('it repeats too often to be read')
  }
}

/** Names the event that cannot be read. */
function inEvent<T>(properties: readonly Property[], work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const title = properties.find(([name]) => name === 'summary')?.[3]
    throw new Unreadable(
      `the event “${short(String(title ?? ''))}” cannot be read: ${error.message}`,
    )
  }
}
