/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { cutText } from '../../../platform/text.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { EndedDaysFold } from '../../inbox/pages/ended-days.tsx'
import { readEndedDays } from '../../inbox/read-ended-days.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { dayName } from '../../pages/times.ts'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { ActivityItem } from '../read-activity.ts'
import { asRecords, readActivity } from '../read-activity.ts'
import { ActivityRow } from './activity-row.tsx'

type Deps = { db: Db; clock: Clock }

// Rows on one page; a search looks through more and says how far it got.
const ROWS = 30
const SEARCH_ROWS = 300
const READ_AT_ONCE = 100

type ActivityPage = { items: ActivityItem[]; next?: string }

/** `/activity`: what happened, newest first, by day; searchable. */
async function showActivity(deps: Deps, visit: SignedIn): Promise<Response> {
  if (visit.url.searchParams.has('trail')) return seeOther(`${paths.audit}${visit.url.search}`)
  const query = cutText((visit.url.searchParams.get('q') ?? '').trim(), 200)
  const cursor = visit.url.searchParams.get('from') ?? undefined
  const activity = query
    ? await search(deps, visit, query, cursor)
    : await readActivity(deps, visit.person.workspaceId, { cursor, limit: ROWS })
  const isFirst = query === '' && cursor === undefined
  const ended = isFirst && (await readEndedDays(deps, visit.person, visit.moment.zone))
  return html(
    <Layout visit={visit} title="Activity" section="activity">
      <div class="page-head">
        <h1>Activity</h1>
        <SearchForm query={query} />
      </div>
      {ended && <EndedDaysFold ended={ended} />}
      {/* Older pages do not change under the reader; the newest one does. */}
      <div
        id="activity"
        {...(cursor ? {} : { 'data-live': 'whole', 'data-version': versionOf(activity) })}
      >
        <Days items={asRecords(activity.items)} moment={visit.moment} />
        {activity.items.length === 0 && <NoResults query={query} />}
        {activity.next && (
          <p class="more">
            <a class="button" href={olderPage(query, activity.next)}>
              {query ? 'Search further back' : 'Older'}
            </a>
          </p>
        )}
      </div>
    </Layout>,
  )
}

function SearchForm({ query }: { query: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: older assistive software does not know <search>.
    <form class="search" role="search" action={paths.activity}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={query}
        placeholder="Search"
        aria-label="Search what happened"
        data-search
      />
    </form>
  )
}

function Days({ items, moment }: { items: ActivityItem[]; moment: Moment }) {
  const days = new Map<string, ActivityItem[]>()
  for (const item of items) {
    const name = dayName(timeOf(item), moment.now, moment.zone)
    days.set(name, [...(days.get(name) ?? []), item])
  }
  return (
    <>
      {[...days].map(([name, rows]) => (
        <section class="day">
          <h2>{name}</h2>
          <ul class="rows">
            {rows.map((item) => (
              <ActivityRow item={item} moment={moment} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function NoResults({ query }: { query: string }) {
  if (query) {
    return (
      <Empty icon="search" title={`Nothing here has “${query}” in it`}>
        Try fewer words, or <a href={paths.activity}>look at everything</a>
      </Empty>
    )
  }
  return (
    <Empty icon="activity" title="Nothing has happened yet">
      Every question and notification is kept here. <a href={paths.tokens}>Connect an agent</a>
    </Empty>
  )
}

async function search(
  deps: Deps,
  { person }: SignedIn,
  query: string,
  from: string | undefined,
): Promise<ActivityPage> {
  const words = query.toLowerCase().split(/\s+/)
  const items: ActivityItem[] = []
  let cursor = from
  for (let looked = 0; looked < SEARCH_ROWS && items.length < ROWS; looked += READ_AT_ONCE) {
    const page = await readActivity(deps, person.workspaceId, { cursor, limit: READ_AT_ONCE })
    items.push(
      ...asRecords(page.items).filter((item) => words.every((word) => textOf(item).includes(word))),
    )
    if (!page.next) return { items }
    cursor = page.next
  }
  return cursor === undefined ? { items } : { items, next: cursor }
}

function textOf(item: ActivityItem): string {
  if (item.kind === 'notification') {
    const { title, body, agentName } = item.notification
    return `${title} ${body} ${agentName ?? ''}`.toLowerCase()
  }
  const { question, agentName, detail, value } = item.question
  const { title = '', body = '' } = detail.notice ?? {}
  const texts = [question, agentName, detail.action, value, title, body]
  return texts
    .map((text) => text ?? '')
    .join(' ')
    .toLowerCase()
}

function timeOf(item: ActivityItem): number {
  return item.kind === 'question' ? item.question.createdAt : item.notification.createdAt
}

function versionOf({ items }: ActivityPage): string {
  const of = (item: ActivityItem) =>
    item.kind === 'question' ? `${item.question.id}${item.question.status}` : item.notification.id
  return Bun.hash(items.map(of).join()).toString(36)
}

function olderPage(query: string, next: string): string {
  const search = new URLSearchParams(query ? { q: query, from: next } : { from: next })
  return `${paths.activity}?${search}`
}

export function activityPages(deps: Deps): Page[] {
  return pagesWith(deps, [signedInPage('GET', paths.activity, showActivity)])
}
