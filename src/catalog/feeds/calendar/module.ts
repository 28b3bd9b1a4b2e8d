import type { FeedModule, QueryRoute } from '../built-site.ts'
import { publishedChanges } from '../changes-by-tool.ts'
import { ATOM_TYPE, atomOf } from './atom.ts'
import { CALENDAR_PATH, CALENDAR_TYPE, calendarOf, readCalendarQuery } from './calendar.ts'
import { JSON_FEED_TYPE, jsonFeedOf } from './json-feed.ts'

const askCalendar: QueryRoute = {
  path: CALENDAR_PATH,
  reply: (snapshot, query) => ({
    type: CALENDAR_TYPE,
    body: calendarOf(snapshot, readCalendarQuery(snapshot, query)),
  }),
}

/** The changes for calendars and for readers of feeds. */
export const CALENDAR_FEEDS: FeedModule = {
  *build(snapshot) {
    const title = `${snapshot.settings.name}: changes`
    yield { path: CALENDAR_PATH, type: CALENDAR_TYPE, body: calendarOf(snapshot) }
    yield { path: '/changes.feed.json', type: JSON_FEED_TYPE, body: jsonFeedOf(snapshot) }
    const whole = { title, path: '/changes.atom', page: '/changes' }
    yield {
      path: whole.path,
      type: ATOM_TYPE,
      body: atomOf(snapshot, publishedChanges(snapshot), whole),
    }
  },
  asks: [askCalendar],
}
