/** @jsxImportSource preact */

import { formField, readForm } from '../../../platform/web/form.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { isAuditor } from '../../accounts/model/person.ts'
import { readAiling } from '../../devices/pages/ailing.tsx'
import { FACET_PARAMETERS, FacetFilters, isFiltered } from '../../inbox/pages/facets.tsx'
import { Snoozed } from '../../inbox/pages/later.tsx'
import { questionsToShow } from '../../inbox/pages/open-questions.ts'
import { QuestionList, TheRest } from '../../inbox/pages/question-list.tsx'
import { SaidTogether } from '../../inbox/pages/together.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Policy } from '../../policy/model/policy.ts'
import type { Policies } from '../../policy/model/store.ts'
import { SessionRow } from '../../presence/pages/session-row.tsx'
import { readErrored, readSessionIds, sessionKey } from '../../presence/read-for-inbox.ts'
import type { SeenSession } from '../../presence/read-sessions.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { type AgentSessionId, isPaused } from '../../sessions/model/session.ts'
import { createToken } from '../../tokens/agent-tokens.ts'
import { ActivityRow } from '../../trail/pages/activity-row.tsx'
import { type ActivityItem, asRecords, readActivity } from '../../trail/read-activity.ts'
import { type AskMeDeps, askMe } from '../ask-me.ts'
import { type FirstSteps, readFirstSteps } from '../first-steps.ts'
import { FirstStepsPart } from './first-steps.tsx'

export type HomeDeps = AskMeDeps & { policies: Policies; config: { baseUrl: string } }
type Deps = HomeDeps

const LAST = 5
// Beside more questions the script that connects a browser would make the page too heavy: its step
// leads to Devices.
const FEW = 10

/**
 * `/` and `/inbox`: what waits, by session; then the next set-up step, sessions in trouble, and
 * what happened. An answer says at which of the two addresses it was given.
 */
export async function showHome(deps: Deps, visit: SignedIn, newToken?: string): Promise<Response> {
  const { person } = visit
  const [questions, activity, steps, troubled, { policy }] = await Promise.all([
    questionsToShow(deps, visit),
    readActivity(deps, person, { limit: LAST + 10 }),
    readFirstSteps(deps, person),
    readErrored(deps, person, LAST),
    deps.policies.of(person.workspaceId),
  ])
  const { open, total, next, facets, snoozed } = questions
  const [from, here] = placeOf(visit)
  const hasSteps = !isAuditor(person) && (!steps.isOver || newToken !== undefined)
  const isAllAnswered = steps.isReady && !hasSteps && snoozed.length === 0
  const connectsHere = steps.devices.length === 0 && questions.total <= FEW
  return html(
    <Layout
      visit={visit}
      title="Inbox"
      section="inbox"
      scripts={hasSteps && connectsHere ? ['push.js'] : []}
      whole={newToken !== undefined}
    >
      <div class="page-head">
        <h1 id="home-title" data-live="whole" data-version={[visit.open, snoozed.length].join()}>
          {heading(visit, snoozed.length, steps)}
        </h1>
      </div>
      {await readAiling(deps, visit)}
      <FacetFilters facets={facets} here={here} />
      <SaidTogether questions={questions} from={from} visit={visit} />
      <QuestionList
        questions={questions}
        from={from}
        moment={visit.moment}
        liveOf={liveAmong(await readSessionIds(deps, person, questions.shown))}
      >
        {isFiltered(facets) ? <NoMatch here={here} /> : isAllAnswered && <AllAnswered />}
      </QuestionList>
      <TheRest shown={open.length} total={total} next={next && nextOf(visit, next)} />
      <Snoozed
        snoozed={snoozed}
        from={from}
        moment={visit.moment}
        just={visit.url.searchParams.get('snoozed')}
      />
      {hasSteps && (
        <FirstStepsPart
          steps={steps}
          visit={visit}
          baseUrl={deps.config.baseUrl}
          token={newToken}
          connectsHere={connectsHere}
        />
      )}
      <Troubled sessions={troubled} policy={policy} moment={visit.moment} back={here} />
      <Lately items={endedOf(activity.items, visit.moment.now)} moment={visit.moment} />
    </Layout>,
  )
}

function placeOf({ url }: SignedIn): [from: 'inbox' | 'dashboard', here: string] {
  return url.pathname === paths.inbox ? ['inbox', paths.inbox] : ['dashboard', paths.home]
}

/** One of the first steps: a question now, or a token with what each client needs. */
export async function startStep(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { person } = visit
  if (formField(form, 'step') === 'ask') {
    await askMe(deps, person)
    return seeOther(`${paths.home}#ask-me`)
  }
  const { token } = await createToken(deps, {
    workspaceId: person.workspaceId,
    name: `Agent of ${firstName(person.name)}`,
    by: person.id,
    replacesUnused: true,
  })
  return showHome(deps, visit, token)
}

function AllAnswered() {
  return (
    <Empty icon="check" title="All answered">
      The next question appears here and on your devices.
    </Empty>
  )
}

function NoMatch({ here }: { here: string }) {
  return (
    <Empty icon="filter" title="No open question matches the filter">
      <a href={here}>Show all</a>
    </Empty>
  )
}

/** What happened and is over. */
function endedOf(items: readonly ActivityItem[], now: number): ActivityItem[] {
  return asRecords(items)
    .filter((item) => item.kind === 'notification' || !isWaiting(item.question, now))
    .slice(0, LAST)
}

/** Whether it is among what waits, on this page or another. */
function isWaiting(question: Question, now: number): boolean {
  return question.held === undefined && statusAt(question, now) === 'pending'
}

/** The address of the next page, filtered as this one. */
function nextOf({ url }: SignedIn, cursor: string): string {
  const filters = [...url.searchParams].filter(([name]) => FACET_PARAMETERS.has(name))
  return `${url.pathname}?${new URLSearchParams([...filters, ['after', cursor]])}`
}

/** Finds the page of the session that asks. */
function liveAmong(sessions: ReadonlyMap<string, AgentSessionId>) {
  return (question: Question) => {
    const id = sessions.get(sessionKey(question) ?? '')
    return id && href.live(id)
  }
}

type TroubledProps = {
  sessions: readonly SeenSession[]
  policy: Policy
  moment: Moment
  back: string
}

function Troubled({ sessions, policy, moment, back }: TroubledProps) {
  return (
    <section
      class="lately"
      id="blocked"
      data-live="whole"
      data-version={sessions.map(versionOf).join()}
      hidden={sessions.length === 0}
    >
      <h2>Sessions with an error</h2>
      <ul class="rows">
        {sessions.map((seen) => (
          <SessionRow
            seen={seen}
            paused={isPaused(seen.session, policy.pauseAfterUnanswered)}
            moment={moment}
            back={back}
          />
        ))}
      </ul>
      <p class="more">
        <a href={paths.sessions}>All sessions</a>
      </p>
    </section>
  )
}

function Lately({ items, moment }: { items: readonly ActivityItem[]; moment: Moment }) {
  if (items.length === 0) return null
  return (
    <section class="lately">
      <h2>Lately</h2>
      <ul class="rows" id="lately" data-live="keyed">
        {items.map((item) => (
          <ActivityRow item={item} moment={moment} />
        ))}
      </ul>
      <p class="more">
        <a href={paths.activity}>All activity</a>
      </p>
    </section>
  )
}

function versionOf({ session, status }: SeenSession): string {
  return session.id + status
}

function welcome({ person }: SignedIn): string {
  return `Welcome, ${firstName(person.name)}`
}

function heading(visit: SignedIn, snoozed: number, { devices, agent }: FirstSteps): string {
  const { open, person } = visit
  if (open === 0 && devices.length === 0 && agent === undefined) return welcome(visit)
  if (open === 0 && snoozed > 0) return `Nothing else is waiting, ${firstName(person.name)}`
  if (open === 0) return `Nothing waits for you, ${firstName(person.name)}`
  return open === 1 ? 'One agent is waiting' : `${open} questions are waiting`
}

function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}
