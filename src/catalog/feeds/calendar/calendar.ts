import { Failure } from '../../../platform/failure.ts'
import { cutText } from '../../../platform/text.ts'
import { CHANGE_KINDS, type ChangeItem } from '../../records/change.ts'
import { CALENDAR_PARAMETERS } from '../../records/parameters.ts'
import { currentSlugs } from '../../records/renames.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { INVALID_PARAMETER } from '../failures.ts'
import { shownAddress } from '../markdown/shown-text.ts'
import { changedOn, changeText, changeTitle, changeUuid, lastChangedOn } from './feed-entries.ts'
import { dayAfter, type IcsLine, icsDate, icsFile, icsStartOfDay, icsText } from './ics.ts'

/**
 * The values of a name are alternatives, and all names must match; a missing name matches
 * everything.
 */
export type CalendarFilter = {
  tool?: readonly string[]
  kind?: readonly string[]
  category?: readonly string[]
}

export const CALENDAR_PATH = '/sunsets.ics'
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

// Long enough for calendars to fetch twice and remove the event.
const WITHDRAWN_DAYS = 90
const REFRESH = 'PT12H'

/** The calendar of changes (RFC 5545, RFC 7986), soonest last; the same snapshot, the same bytes. */
export function calendarOf(snapshot: CatalogSnapshot, filter: CalendarFilter = {}): string {
  const today = currentSlugs(snapshot.removed)
  const changes = snapshot.changes
    .filter((change) => isTold(change, snapshot) && fits(change, snapshot, filter, today))
    .toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1))
  const name = `${snapshot.settings.name}: changes`
  const address = `${snapshot.baseUrl}${CALENDAR_PATH}`
  return icsFile([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Beckon//Catalog//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['NAME', icsText(name)],
    ['X-WR-CALNAME', icsText(name)],
    ['DESCRIPTION', icsText(snapshot.settings.attribution)],
    ['LAST-MODIFIED', icsStartOfDay(lastChangedOn(snapshot.changes, snapshot))],
    ['REFRESH-INTERVAL;VALUE=DURATION', REFRESH],
    ['X-PUBLISHED-TTL', REFRESH],
    ['SOURCE;VALUE=URI', address],
    ...(changes.length === 0
      ? EMPTY
      : changes.flatMap((change) => eventOf(change, snapshot, today(change.tool)))),
    ['END', 'VCALENDAR'],
  ])
}

function eventOf(change: ChangeItem, snapshot: CatalogSnapshot, slug: string): IcsLine[] {
  const category = snapshot.bySlug.get(slug)?.category
  const url = shownAddress(change.url)
  return [
    ['BEGIN', 'VEVENT'],
    ['UID', changeUuid(change.id)],
    ['SEQUENCE', String(change.sequence)],
    ['DTSTAMP', icsStartOfDay(changedOn(change, snapshot))],
    ['LAST-MODIFIED', icsStartOfDay(changedOn(change, snapshot))],
    ['DTSTART;VALUE=DATE', icsDate(change.date)],
    ['DTEND;VALUE=DATE', icsDate(dayAfter(change.date))],
    ['SUMMARY', icsText(changeTitle(change))],
    ['DESCRIPTION', icsText(changeText(change))],
    // One property for each category: some readers split lists at escaped commas.
    ['CATEGORIES', icsText(change.kind)],
    ...(category ? ([['CATEGORIES', icsText(category)]] as const) : []),
    ...(url ? ([['URL', url]] as const) : []),
    ['STATUS', statusOf(change)],
    ['TRANSP', 'TRANSPARENT'],
    ['END', 'VEVENT'],
  ]
}

function statusOf(change: ChangeItem): string {
  if (change.status === 'withdrawn') return 'CANCELLED'
  return change.datePrecision === 'day' ? 'CONFIRMED' : 'TENTATIVE'
}

function isTold(change: ChangeItem, snapshot: CatalogSnapshot): boolean {
  if (change.status !== 'withdrawn') return true
  return snapshot.today <= dayAfter(changedOn(change, snapshot), WITHDRAWN_DAYS)
}

function fits(
  change: ChangeItem,
  snapshot: CatalogSnapshot,
  filter: CalendarFilter,
  today: (slug: string) => string,
): boolean {
  const category = snapshot.bySlug.get(today(change.tool))?.category ?? ''
  return (
    (filter.tool?.map(today).includes(today(change.tool)) ?? true) &&
    (filter.kind?.includes(change.kind) ?? true) &&
    (filter.category?.includes(category) ?? true)
  )
}

// A calendar must have a component (RFC 5545, 3.6), and strict readers refuse one without.
const EMPTY: readonly IcsLine[] = [
  ['BEGIN', 'VTIMEZONE'],
  ['TZID', 'Etc/UTC'],
  ['BEGIN', 'STANDARD'],
  ['DTSTART', '19700101T000000'],
  ['TZOFFSETFROM', '+0000'],
  ['TZOFFSETTO', '+0000'],
  ['END', 'STANDARD'],
  ['END', 'VTIMEZONE'],
]

type Name = keyof typeof CALENDAR_PARAMETERS
const NAMES = Object.keys(CALENDAR_PARAMETERS) as Name[]

/**
 * Reads `?tool=a,b&kind=&category=`. An empty value filters nothing, and unknown names are ignored,
 * because people add some to get past a cache. Throws `invalid_parameter` for an unknown word: a
 * calendar that stays empty explains nothing.
 */
export function readCalendarQuery(
  snapshot: CatalogSnapshot,
  query: URLSearchParams,
): CalendarFilter {
  const { bySlug, removed, changes, settings } = snapshot
  const slugs = [...bySlug.keys(), ...removed.map(({ slug }) => slug)]
  const kinds = [...CHANGE_KINDS, ...changes.map(({ kind }) => kind)]
  const vocabularies = {
    tool: new Set([...slugs, ...changes.map(({ tool }) => tool)]),
    kind: new Set(kinds),
    category: new Set(settings.categories.map(({ id }) => id)),
  }
  const filter: CalendarFilter = {}
  for (const name of NAMES) {
    const words = query.getAll(name).flatMap((value) => value.split(',').map((one) => one.trim()))
    const values = words.filter((word) => word !== '')
    for (const word of values)
      if (!vocabularies[name].has(word)) throw unknownWord(name, word, vocabularies[name])
    if (values.length > 0) filter[name] = values
  }
  return filter
}

function unknownWord(parameter: Name, word: string, vocabulary: ReadonlySet<string>): Failure {
  const message = `There is no ${parameter} "${cutText(word, 64)}" here.`
  const more = parameter === 'tool' ? {} : { allowed: [...vocabulary].sort() }
  return new Failure(INVALID_PARAMETER, message, { parameter, ...more })
}
