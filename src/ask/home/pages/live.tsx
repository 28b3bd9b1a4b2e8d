/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { AgentSessionId } from '../../../platform/ids.ts'
import { formField, readForm } from '../../../platform/web/form.ts'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { ActivityRow } from '../../audit/pages/activity-row.tsx'
import { type ActivityPage, readActivity } from '../../audit/read-activity.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Fact } from '../../pages/facts.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, ownPath, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/policies.ts'
import { type About as OpenOnes, questionsToShow } from '../../questions/pages/open-questions.ts'
import { QuestionList, TheRest } from '../../questions/pages/question-list.tsx'
import { ScopeParts } from '../../scopes/pages/scope-history.tsx'
import { readScopeHistory } from '../../scopes/scope-history.ts'
import { isPaused } from '../../sessions/model/session.ts'
import { nameOf, Paused, SessionState } from '../../sessions/pages/session-row.tsx'
import { readSession, resumeSession, type SeenSession } from '../../sessions/read-sessions.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const ROWS = 30

/** `/live/ID`: one session: its open questions, its scope, and what it did. */
export async function showLive(deps: Deps, visit: SignedIn): Promise<Response> {
  const { workspaceId } = visit.person
  const seen = await readSession(deps, workspaceId, visit.params.id ?? '')
  if (!seen) throw notFound()
  const { session } = seen
  const cursor = visit.url.searchParams.get('from') ?? undefined
  const [questions, feed, scopes, { policy }] = await Promise.all([
    questionsToShow(deps, visit, questionsOf(seen)),
    readActivity(deps, workspaceId, { session, cursor, limit: ROWS }),
    readScopeHistory(deps, workspaceId, session.sessionId),
    deps.policies.of(workspaceId),
  ])
  const [agent, place] = nameOf(session)
  const paused = isPaused(session, policy.pauseAfterUnanswered)
  return html(
    <Layout
      visit={visit}
      title={place ? `${agent} · ${place}` : agent}
      section="sessions"
      back={{ to: paths.sessions, name: 'Back to the sessions' }}
    >
      <Head seen={seen} paused={paused} moment={visit.moment} />
      <QuestionList questions={questions} from="live_page" moment={visit.moment} />
      <TheRest shown={questions.open.length} total={questions.total} />
      <ScopeParts history={scopes} moment={visit.moment} />
      <Feed feed={feed} seen={seen} moment={visit.moment} newest={cursor === undefined} />
      <About seen={seen} />
    </Layout>,
  )
}

/** "Resume". */
export async function resume(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const id = visit.params.id as AgentSessionId
  await resumeSession(deps, visit.person.workspaceId, id, visit.person.id)
  return seeOther(ownPath(formField(form, 'back') || href.live(id)))
}

function questionsOf({ session, open }: SeenSession): OpenOnes {
  return {
    open,
    among: ({ machineId = '', sessionId }) =>
      machineId === session.machineId && sessionId === session.sessionId,
  }
}

function Head({ seen, paused, moment }: { seen: SeenSession; paused: boolean; moment: Moment }) {
  const { session, status } = seen
  const { id, lastAction, lastSeenAt } = session
  const [agent, place] = nameOf(session)
  return (
    <div
      class="page-head session-head"
      id="session"
      data-live="whole"
      data-version={[status, lastSeenAt, paused].join()}
      data-ages
    >
      <p class="ask-head">
        <SessionState status={status} />
        <span class="left">
          seen <Ago at={lastSeenAt} moment={moment} />
        </span>
      </p>
      <h1>
        {agent}
        {place && <span class="sub"> {place}</span>}
      </h1>
      {lastAction && status !== 'waiting' && <p class="sub">{lastAction}</p>}
      {paused && <Paused seen={seen} back={href.live(id)} />}
    </div>
  )
}

/** What identifies this session. */
function About({ seen: { session } }: { seen: SeenSession }) {
  const { repoKey, machineId, sessionId } = session
  return (
    <section class="part">
      <h2>Which session this is</h2>
      <dl class="facts">
        {repoKey && <Fact name="Repository">{repoKey}</Fact>}
        {machineId && <Fact name="Machine">{machineId}</Fact>}
        <Fact name="Session">
          <code>{sessionId}</code>
        </Fact>
      </dl>
    </section>
  )
}

type FeedProps = { feed: ActivityPage; seen: SeenSession; moment: Moment; newest: boolean }

function Feed({ feed, seen, moment, newest }: FeedProps) {
  return (
    <section class="part">
      <h2>What happened</h2>
      <ul class="rows" id="feed" {...(newest ? { 'data-live': 'keyed' } : {})}>
        {feed.items.map((item) => (
          <ActivityRow item={item} moment={moment} inSession />
        ))}
        {feed.items.length === 0 && (
          <li class="soft" data-key="none" data-version="none">
            Its questions and notifications appear here.
          </li>
        )}
      </ul>
      {feed.next && (
        <p class="more">
          <a class="button" href={`${href.live(seen.session.id)}?from=${feed.next}`}>
            Older
          </a>
        </p>
      )}
    </section>
  )
}
