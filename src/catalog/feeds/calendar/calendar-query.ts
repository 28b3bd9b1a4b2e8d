import { Failure } from '../../../platform/failure.ts'
import { CHANGE_KINDS } from '../../records/change.ts'
import { CALENDAR_PARAMETERS } from '../../records/parameters.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import type { CalendarFilter } from './calendar.ts'

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
  const known = {
    tool: new Set([...slugs, ...changes.map(({ tool }) => tool)]),
    kind: new Set(kinds),
    category: new Set(settings.categories.map(({ id }) => id)),
  }
  const filter: CalendarFilter = {}
  for (const name of NAMES) {
    const words = query.getAll(name).flatMap((value) => value.split(',').map((one) => one.trim()))
    const asked = words.filter((word) => word !== '')
    for (const word of asked) if (!known[name].has(word)) throw unknownWord(name, word, known[name])
    if (asked.length > 0) filter[name] = asked
  }
  return filter
}

function unknownWord(parameter: Name, word: string, known: ReadonlySet<string>): Failure {
  const said = `There is no ${parameter} "${word.slice(0, 64)}" here.`
  const more = parameter === 'tool' ? {} : { allowed: [...known].sort() }
  return new Failure('invalid_parameter', said, { parameter, ...more })
}
