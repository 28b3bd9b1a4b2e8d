import { changesByTool, toldChanges } from '../changes-by-tool.ts'
import type { Asked, Room } from '../site.ts'
import { ATOM_TYPE, atomOf } from './atom.ts'
import { CALENDAR_PATH, CALENDAR_TYPE, calendarOf } from './calendar.ts'
import { readCalendarQuery } from './calendar-query.ts'
import { JSON_FEED_TYPE, jsonFeedOf } from './json-feed.ts'

const askCalendar: Asked = {
  path: CALENDAR_PATH,
  reply: (view, query) => ({
    type: CALENDAR_TYPE,
    body: calendarOf(view, readCalendarQuery(view, query)),
  }),
}

/** The changes for calendars and for readers of feeds. */
export const CALENDAR: Room = {
  routes: [CALENDAR_PATH, '/changes.atom', '/changes.feed.json', '/tools/:file'],
  *build(view) {
    const title = `${view.settings.name}: changes`
    yield { path: CALENDAR_PATH, type: CALENDAR_TYPE, body: calendarOf(view) }
    yield { path: '/changes.feed.json', type: JSON_FEED_TYPE, body: jsonFeedOf(view) }
    const whole = { title, path: '/changes.atom', page: '/changes' }
    yield { path: whole.path, type: ATOM_TYPE, body: atomOf(view, toldChanges(view), whole) }
    const changes = changesByTool(view)
    for (const { slug, name } of view.tools) {
      const path = `/tools/${slug}.atom`
      const place = { title: `${name}: changes`, path, page: `/tools/${slug}` }
      const body = () => atomOf(view, changes.get(slug) ?? [], place)
      yield { path, type: ATOM_TYPE, body }
    }
  },
  asks: [askCalendar],
}
