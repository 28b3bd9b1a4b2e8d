/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Empty } from '../../../platform/web/empty.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html } from '../../../platform/web/respond.ts'
import { countLiveTokens } from '../../accounts/model/token-store.ts'
import { ActivityRow } from '../../audit/pages/activity-row.tsx'
import { readActivity } from '../../audit/read-activity.ts'
import { countSubscribers } from '../../devices/model/page-store.ts'
import { PushState } from '../../devices/pages/this-browser.tsx'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/policies.ts'
import { questionsToShow } from '../../questions/pages/open-questions.ts'
import { QuestionList, TheRest } from '../../questions/pages/question-list.tsx'
import { isPaused } from '../../sessions/model/session.ts'
import { SessionRow } from '../../sessions/pages/session-row.tsx'
import { readSessions, type SeenSession } from '../../sessions/read-sessions.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const LAST = 5
// The inbox shows all of them.
const WAITING = 10

/** `/`: open questions first, then the next set-up step, then what happened. */
export async function showHome(deps: Deps, visit: SignedIn): Promise<Response> {
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
    <Layout visit={visit} title="Home" section="home" scripts={device ? [] : ['push.js']}>
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
      {!(device && agent) && <NextStep device={device} agent={agent} vapidKey={visit.vapidKey} />}
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

type NextStepProps = { device: boolean; agent: boolean; vapidKey: string | undefined }

/** The steps to the first question, with the next one marked. */
function NextStep({ device, agent, vapidKey }: NextStepProps) {
  const steps = [
    {
      done: device,
      icon: 'phone' as const,
      name: 'Connect a device',
      why: 'So that a question reaches you when this page is closed.',
      to: paths.devices,
    },
    {
      done: agent,
      icon: 'terminal' as const,
      name: 'Connect an agent',
      why: 'Make a token and hand it to Claude Code, Codex or another client.',
      to: paths.tokens,
    },
  ]
  const next = steps.findIndex(({ done }) => !done)
  return (
    <ol class="steps" id="steps" aria-label="To get started">
      {steps.map(({ done, icon, name, why, to }, i) => {
        const here = i === next && to === paths.devices
        return (
          <li
            class={done ? 'done' : undefined}
            aria-current={i === next ? 'step' : undefined}
            id={here ? 'this-browser' : undefined}
            data-vapid-key={here ? vapidKey : undefined}
          >
            <Icon name={done ? 'check' : icon} />
            <div>
              <b>{name}</b>
              <p>{done ? 'Done' : why}</p>
              {here && <PushState />}
            </div>
            {here && <ConnectHere />}
            {i === next && !here && (
              <a class="button primary" href={to}>
                Connect
              </a>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Connects this browser on the spot; everything else is on the page of devices. */
function ConnectHere() {
  return (
    <>
      <button type="button" class="primary" data-push-connect hidden>
        Connect this browser
      </button>
      <a class="button" href={paths.devices}>
        Another device
      </a>
    </>
  )
}
