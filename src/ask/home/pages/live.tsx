/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { readGrants } from '../../grants/grants.ts'
import { type About as OpenOnes, questionsToShow } from '../../inbox/pages/open-questions.ts'
import { QuestionList, TheRest } from '../../inbox/pages/question-list.tsx'
import { SessionGrants } from '../../inbox/pages/session-grants.tsx'
import { notFound } from '../../pages/error-page.tsx'
import { Fact } from '../../pages/fact.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, ownPath, paths } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/store.ts'
import { nameOf, Paused, SessionLocation, SessionState } from '../../presence/pages/session-row.tsx'
import { readSession, resumeSession, type SeenSession } from '../../presence/read-sessions.ts'
import { ScopeParts } from '../../proposals/pages/scope-history.tsx'
import { readScopeHistory } from '../../proposals/scope-history.ts'
import { type AgentSessionId, isPaused } from '../../sessions/model/session.ts'
import { NextStepPart, type Unsent } from '../../turns/pages/next-step.tsx'
import { readNext } from '../../turns/read-next.ts'
import { readTimeline, type Timeline } from '../read-timeline.ts'
import { Entries } from './timeline.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

/** `/live/ID`: one session: its open questions, its scope, and what it did. */
export async function showLive(deps: Deps, visit: SignedIn, unsent?: Unsent): Promise<Response> {
  const { workspaceId } = visit.person
  const seen = await readSession(deps, visit.person, visit.params.id ?? '')
  if (!seen) throw notFound()
  const { session } = seen
  const cursor = visit.url.searchParams.get('from') ?? undefined
  const [questions, timeline, scopes, { policy }, grants, next] = await Promise.all([
    questionsToShow(deps, visit, questionsOf(seen)),
    readTimeline(deps, visit.person, session, cursor),
    readScopeHistory(deps, visit.person, session.sessionId),
    deps.policies.of(workspaceId),
    readGrants(deps, visit.person),
    readNext(deps, visit.person, session.id),
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
      {next && (
        <NextStepPart next={next} person={visit.person} moment={visit.moment} unsent={unsent} />
      )}
      <TheRest shown={questions.open.length} total={questions.total} />
      <SessionGrants
        grants={grants.filter((grant) => isOf(session, grant))}
        session={session.id}
        moment={visit.moment}
      />
      <ScopeParts history={scopes} moment={visit.moment} />
      <Feed timeline={timeline} seen={seen} moment={visit.moment} newest={cursor === undefined} />
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
    among: (question) => isOf(session, question),
  }
}

type SessionRef = { machineId?: string | undefined; sessionId?: string | undefined }

/** Whether something is of the session that it names. */
function isOf(session: SeenSession['session'], { machineId = '', sessionId }: SessionRef): boolean {
  return machineId === session.machineId && sessionId === session.sessionId
}

function Head({ seen, paused, moment }: { seen: SeenSession; paused: boolean; moment: Moment }) {
  const { session, status } = seen
  const { id, intent, lastAction, lastSeenAt } = session
  const [agent, place] = nameOf(session)
  return (
    <div
      class="page-head session-head"
      id="session"
      data-live="whole"
      data-version={[status, lastSeenAt, paused, intent, session.branch].join()}
      data-ages
    >
      <p class="ask-head">
        <SessionState status={status} paused={paused} />
        <span class="left">
          seen <Ago at={lastSeenAt} moment={moment} />
        </span>
      </p>
      <h1>
        {agent}
        {place && <span class="sub"> {place}</span>}
      </h1>
      {intent && <p class="sub">{intent}</p>}
      <SessionLocation session={session} />
      {lastAction && status !== 'waiting' && <p class="sub">{lastAction}</p>}
      {paused && <Paused seen={seen} back={href.live(id)} />}
    </div>
  )
}

/** Lists what identifies this session. */
function About({ seen: { session } }: { seen: SeenSession }) {
  const { agentName, repoKey, branch, machineId, machineName, sessionId } = session
  return (
    <section class="part">
      <h2>Which session this is</h2>
      <dl class="facts">
        {repoKey && (
          <Fact name="Repository">
            <a href={href.repository(repoKey)}>{repositoryName(repoKey, agentName)}</a>
          </Fact>
        )}
        {branch && <Fact name="Branch">{branch}</Fact>}
        {machineName && <Fact name="Machine">{machineName}</Fact>}
        {machineId && <Fact name="Machine id">{machineId}</Fact>}
        <Fact name="Session">
          <code>{sessionId}</code>
        </Fact>
      </dl>
    </section>
  )
}

type FeedProps = { timeline: Timeline; seen: SeenSession; moment: Moment; newest: boolean }

function Feed({ timeline: { entries, next }, seen, moment, newest }: FeedProps) {
  const page = href.live(seen.session.id)
  return (
    <section class="part" id="happened">
      <h2>What happened</h2>
      {!newest && (
        <p class="more">
          <a class="button" href={`${page}#happened`}>
            Latest
          </a>
        </p>
      )}
      <ol
        class="timeline"
        id="feed"
        {...(newest ? { 'data-live': 'keyed', 'data-deliveries': true } : {})}
      >
        <Entries entries={entries} moment={moment} />
        {entries.length === 0 && (
          <li class="soft" data-key="none" data-version="none">
            Its questions and notifications appear here.
          </li>
        )}
      </ol>
      {next && (
        <p class="more">
          <a class="button" href={`${page}?from=${next}#happened`}>
            Earlier
          </a>
        </p>
      )}
    </section>
  )
}
