/** @jsxImportSource preact */
import { countLiveTokens } from '../accounts/token-store.ts'
import { readActivity } from '../flows/read-activity.ts'
import { readSessions, type SeenSession } from '../flows/sessions.ts'
import { isPaused } from '../sessions/session.ts'
import { countSubscribers } from '../subscribers/page-store.ts'
import { ActivityRow } from './components/activity-row.tsx'
import { Empty } from './components/empty.tsx'
import { NextStep } from './components/next-step.tsx'
import { QuestionList, TheRest } from './components/question-list.tsx'
import { SessionRow } from './components/session-row.tsx'
import { Layout } from './layout.tsx'
import { questionsToShow } from './open-questions.ts'
import type { PageDeps } from './page-deps.ts'
import { html } from './respond.ts'
import { paths } from './routes.ts'
import type { SignedIn } from './visit.ts'

const LAST = 5
// The inbox has all of them.
const WAITING = 10

/** `/`: who waits first, then the next step while something is not connected, then what happened. */
export async function showHome(deps: PageDeps, visit: SignedIn): Promise<Response> {
  const { workspaceId } = visit.person
  const [{ open, shown, total }, activity, devices, tokens, sessions, { policy }] =
    await Promise.all([
      questionsToShow(deps, visit, { most: WAITING }),
      readActivity(deps, workspaceId, { limit: LAST + 10 }),
      countSubscribers(deps.db.read, workspaceId),
      countLiveTokens(deps.db.read, { workspaceId }),
      readSessions(deps, workspaceId),
      deps.policies.of(workspaceId),
    ])
  const blocked = sessions.filter(({ status }) => status === 'waiting' || status === 'errored')
  const device = devices > 0
  const agent = tokens > 0
  const ended = activity.items
    .filter(
      (item) => item.kind === 'notification' || !open.some(({ id }) => id === item.question.id),
    )
    .slice(0, LAST)
  return html(
    <Layout visit={visit} title="Home" section="home">
      <div class="page-head">
        <h1 id="home-title" data-live="whole" data-version={total}>
          {device || agent || total > 0 ? heading(total, visit) : welcome(visit)}
        </h1>
      </div>
      <QuestionList questions={shown} from="dashboard" moment={visit.moment}>
        {device && agent && (
          <Empty icon="check" title="All answered">
            The next question appears here and on your devices.
          </Empty>
        )}
      </QuestionList>
      <TheRest shown={open.length} total={total} to={paths.inbox} name="inbox" />
      {!(device && agent) && <NextStep device={device} agent={agent} />}
      <section
        class="lately"
        id="blocked"
        data-live="whole"
        data-version={[blocked.length, ...blocked.slice(0, LAST).map(versionOf)].join()}
        hidden={blocked.length === 0}
      >
        <h2>Sessions that need you</h2>
        <ul class="rows">
          {blocked.slice(0, LAST).map((seen) => (
            <SessionRow
              seen={seen}
              paused={isPaused(seen.session, policy.pauseAfterUnanswered)}
              moment={visit.moment}
              back={paths.home}
            />
          ))}
        </ul>
        <p class="more">
          <a href={paths.sessions}>All sessions</a>
        </p>
      </section>
      {ended.length > 0 && (
        <section class="lately">
          <h2>Lately</h2>
          <ul class="rows" id="lately" data-live="keyed">
            {ended.map((item) => (
              <ActivityRow item={item} moment={visit.moment} />
            ))}
          </ul>
          <p class="more">
            <a href={paths.activity}>All activity</a>
          </p>
        </section>
      )}
    </Layout>,
  )
}

function versionOf({ session, status }: SeenSession): string {
  return session.id + status
}

function welcome({ person }: SignedIn): string {
  return `Welcome, ${firstName(person.name)}`
}

function heading(open: number, { person }: SignedIn): string {
  if (open === 0) return `Nobody is waiting, ${firstName(person.name)}`
  return open === 1 ? 'One agent is waiting' : `${open} questions are waiting`
}

function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}
