/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { cutText } from '../../../platform/text.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { EndedDaysFold, sentenceOf } from '../../inbox/pages/ended-days.tsx'
import { type Facet, FacetFilters, facetsOf, filterOf } from '../../inbox/pages/facets.tsx'
import { type EndedDays, readEndedDays } from '../../inbox/read-ended-days.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { dayAfter, dayStart } from '../../pages/times.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { listLatestFacts } from '../../questions/model/store.ts'
import { readWhoEnded } from '../../questions/who-ended.ts'
import { type ActivityFilter, isAll, isWanted, OUTCOMES, type Outcome } from '../activity-filter.ts'
import { type ActivityPage, searchActivity } from '../read-activity.ts'
import { DayLinks, Story } from './story.tsx'

type Deps = { db: Db; clock: Clock }

const ROWS = 30
// The agents and repositories of as many questions can be chosen.
const FACTS_OF = 1_000
const PARAMETERS = ['q', 'day', 'agent', 'repository', 'kind', 'outcome'] as const

/** What an address of the activity asks for. */
type ActivityQuery = {
  words: string
  /** A day like `2026-11-23`; undefined for all. */
  day: string | undefined
  cursor: string | undefined
  facets: readonly Facet[]
  filter: ActivityFilter
}

/** `/activity`: what agents did and who decided, by day, agent and repository. */
async function showActivity(deps: Deps, visit: SignedIn): Promise<Response> {
  const { url, person, moment } = visit
  if (url.searchParams.has('trail')) return seeOther(`${paths.audit}${url.search}`)
  const query = await readQuery(deps, visit)
  const { filter, day, cursor } = query
  const span = day && {
    from: dayStart(day, moment.zone),
    to: dayStart(dayAfter(day), moment.zone),
  }
  const page = await searchActivity(deps, person, (item) => isWanted(item, filter, moment.now), {
    cursor,
    limit: ROWS,
    span: span || undefined,
  })
  const questions = page.items.flatMap((item) => (item.kind === 'question' ? item.question : []))
  const who = await readWhoEnded(deps, questions, person.id)
  const ended = await readMonth(deps, visit, query)
  return html(
    <Layout visit={visit} title="Activity" section="activity">
      <div class="page-head">
        <h1>Activity</h1>
        <SearchForm query={query} />
        <FacetFilters facets={query.facets} here={paths.activity}>
          <Hidden name="q" value={query.words} />
          <Hidden name="day" value={day} />
        </FacetFilters>
      </div>
      {day ? (
        <DayLinks day={day} moment={moment} to={(other) => addressOf(visit, { day: other })} />
      ) : (
        ended && <EndedDaysFold ended={ended} dayHref={(one) => addressOf(visit, { day: one })} />
      )}
      {/* Older pages do not change under the reader; the newest one does. */}
      <div
        id="activity"
        {...(cursor ? {} : { 'data-live': 'whole', 'data-version': versionOf(page) })}
      >
        <Story
          items={page.items}
          who={who}
          moment={moment}
          sumOf={(one) => (cursor ? undefined : sumOfDay(ended, one))}
        />
        {page.items.length === 0 && <Nothing query={query} more={page.next !== undefined} />}
        {page.next && (
          <p class="more">
            <a class="button" href={addressOf(visit, { from: page.next })}>
              {isAll(filter) ? 'Older' : 'Look further back'}
            </a>
          </p>
        )}
      </div>
    </Layout>,
  )
}

async function readQuery(deps: Deps, { person, url }: SignedIn): Promise<ActivityQuery> {
  const { searchParams } = url
  const words = cutText((searchParams.get('q') ?? '').trim(), 200)
  const day = searchParams.get('day') ?? ''
  const facts = await listLatestFacts(deps.db.read, person, FACTS_OF)
  const facets = [...facetsOf(facts, searchParams), outcomeFacet(searchParams)]
  const outcome = OUTCOMES.find((one) => one === searchParams.get('outcome'))
  const all = words === '' ? [] : words.toLowerCase().split(/\s+/)
  return {
    words,
    day: isDay(day) ? day : undefined,
    cursor: searchParams.get('from') ?? undefined,
    facets,
    filter: { words: all, ...filterOf(facets), outcome },
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

const OUTCOME_WORDS: Record<Outcome, string> = {
  waiting: 'Waiting',
  byPerson: 'Decided by people',
  byRule: 'By rules, grants and programs',
  unanswered: 'Nobody answered',
  withdrawn: 'Withdrawn by the agent',
  terminal: 'Left to the terminal',
  notification: 'Notifications',
}

function outcomeFacet(chosen: URLSearchParams): Facet {
  return {
    name: 'outcome',
    label: 'Outcome',
    values: OUTCOMES.map((value) => ({ value, words: OUTCOME_WORDS[value] })),
    chosen: chosen.get('outcome') ?? '',
  }
}

/** The month of the workspace or the repository; there are no counts of anything smaller. */
async function readMonth(
  deps: Deps,
  { person, moment }: SignedIn,
  { filter, cursor }: ActivityQuery,
): Promise<EndedDays | undefined> {
  const { repoKey, ...rest } = filter
  if (cursor !== undefined || !isAll(rest)) return undefined
  return readEndedDays(deps, { viewer: person, repoKey }, moment.zone)
}

function sumOfDay(ended: EndedDays | undefined, day: string): string | undefined {
  const counts = ended?.days.find((one) => one.day === day)
  const sum = counts && counts.byPerson + counts.byRule + counts.unanswered + counts.withdrawn
  return counts && sum ? sentenceOf(counts) : undefined
}

function SearchForm({ query: { words, day, facets } }: { query: ActivityQuery }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: older assistive software does not know <search>.
    <form class="search" role="search" action={paths.activity}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={words}
        placeholder="Search"
        aria-label="Search what happened"
        data-search
      />
      <Hidden name="day" value={day} />
      {facets.map(({ name, chosen }) => (
        <Hidden name={name} value={chosen} />
      ))}
    </form>
  )
}

function Hidden({ name, value }: { name: string; value: string | undefined }) {
  return value ? <input type="hidden" name={name} value={value} /> : null
}

function Nothing({ query: { words, filter, day }, more }: { query: ActivityQuery; more: boolean }) {
  const all = <a href={paths.activity}>look at everything</a>
  if (more) {
    return (
      <Empty icon="search" title="Nothing like that lately">
        Look further back, or {all}
      </Empty>
    )
  }
  if (words) {
    return (
      <Empty icon="search" title={`Nothing here has “${words}” in it`}>
        Try fewer words, or {all}
      </Empty>
    )
  }
  if (day || !isAll(filter)) {
    return (
      <Empty icon="filter" title="Nothing matches">
        Choose another day or filter, or {all}
      </Empty>
    )
  }
  return (
    <Empty icon="activity" title="Nothing has happened yet">
      Every question and notification is kept here. <a href={paths.tokens}>Connect an agent</a>
    </Empty>
  )
}

function versionOf({ items }: ActivityPage): string {
  const of = (item: ActivityPage['items'][number]) =>
    item.kind === 'question' ? `${item.question.id}${item.question.status}` : item.notification.id
  return Bun.hash(items.map(of).join()).toString(36)
}

/** The same list at another day or place; without a day, all days. */
function addressOf({ url }: SignedIn, more: { day?: string | undefined; from?: string }): string {
  const pairs = PARAMETERS.map((name) => [name, url.searchParams.get(name) ?? ''] as const)
  const all = { ...Object.fromEntries(pairs), ...more }
  const query = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return query.length > 0 ? `${paths.activity}?${new URLSearchParams(query)}` : paths.activity
}

export function activityPages(deps: Deps): Page[] {
  return pagesWith(deps, [signedInPage('GET', paths.activity, showActivity)])
}
