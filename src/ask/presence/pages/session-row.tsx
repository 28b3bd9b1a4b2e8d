/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { type Appearance, StateDot, StateMark } from '../../../platform/web/page-parts.tsx'
import { splitName } from '../../pages/agent-name.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { questionTitle } from '../../questions/model/title.ts'
import type { SessionStatus } from '../../sessions/model/session.ts'
import type { SeenSession } from '../read-sessions.ts'

const LOOKS: Record<SessionStatus, Appearance> = {
  waiting: { tone: 'wait', icon: undefined, word: 'Waits for you' },
  failed: { tone: 'bad', icon: 'warning', word: 'Failed' },
  finished: { tone: 'wait', icon: 'check', word: 'Finished' },
  errored: { tone: 'bad', icon: 'warning', word: 'Error' },
  active: { tone: 'good', icon: 'activity', word: 'At work' },
  idle: { tone: 'calm', icon: 'clock', word: 'Idle' },
  offline: { tone: 'calm', icon: 'minus', word: 'Offline' },
}

const PAUSED: Appearance = { tone: 'wait', icon: 'pause', word: 'Paused' }

/** A pause is what a person can lift; a question that waits comes before it. */
function lookOf(status: SessionStatus, paused: boolean): Appearance {
  return paused && status !== 'waiting' ? PAUSED : LOOKS[status]
}

type Props = { seen: SeenSession; paused: boolean; moment: Moment; back: string }

/** One session in a list: who, what it does, where, its state; "Resume" if it is paused. */
export function SessionRow({ seen, paused, moment, back }: Props) {
  const { session, status, open, silentSince } = seen
  const { id, lastSeenAt } = session
  const work = workOf(seen)
  const look = lookOf(status, paused)
  const { tone, word } = look
  const [agent, place] = nameOf(session)
  return (
    <li
      class="row session"
      id={`session-${id}`}
      data-key={id}
      data-version={[word, lastSeenAt, session.branch, work, open.length, silentSince].join()}
      data-move
    >
      <StateDot look={look} />
      <a class="row-main" href={href.live(id)}>
        <span class="row-title">{place ? `${agent} · ${place}` : agent}</span>
        {work && (
          <span class="row-sub one-line">
            {open.length > 1 && `${open.length} questions: `}
            <SafeText text={work} />
          </span>
        )}
        <SessionLocation session={session} />
      </a>
      <span class="row-side">
        <b class={`row-state ${tone}`}>{word}</b>
        <Ago at={lastSeenAt} moment={moment} />
      </span>
      {silentSince !== undefined && (
        <p class="unwatched">
          <Icon name="warning" />
          <span>
            Its hook stopped reporting at <AtClock at={silentSince} moment={moment} />. Nothing has
            enforced its scope since.
          </span>
        </p>
      )}
      {paused && <Paused seen={seen} back={back} />}
    </li>
  )
}

/**
 * Describes the work: what it waits for; without an open question, its task or what it did last.
 */
function workOf({ session: { intent, lastAction }, open: [oldest] }: SeenSession) {
  return oldest ? questionTitle(oldest).text : (intent ?? lastAction)
}

type StateProps = { status: SessionStatus; paused: boolean }

/** The state of a session as icon and word. */
export function SessionState({ status, paused }: StateProps) {
  return <StateMark look={lookOf(status, paused)} />
}

/** The branch it works on, and the machine, as far as they are known. */
export function SessionLocation({ session }: Pick<SeenSession, 'session'>) {
  const { branch, machineName, machineId } = session
  const machine = machineName ?? machineId
  if (!branch && !machine) return null
  return (
    <span class="row-sub place">
      {branch && <span>{branch}</span>}
      {machine && <span>on {machine}</span>}
    </span>
  )
}

/** Says that its approvals are no longer sent, and has the button that resumes it. */
export function Paused({ seen: { session }, back }: { seen: SeenSession; back: string }) {
  return (
    <form method="post" action={href.resume(session.id)} class="paused">
      <Icon name="pause" />
      <p>
        <b>Paused.</b> Its last {session.unanswered} approvals went unanswered, so new ones are not
        sent.
      </p>
      <input type="hidden" name="back" value={back} />
      <button type="submit" class="small">
        Resume
      </button>
    </form>
  )
}

/** Names who works, and where: the project in the name, otherwise the repository. */
export function nameOf(session: SeenSession['session']): [string, string | undefined] {
  const [agent, project] = splitName(session.agentName ?? session.client)
  return [agent, project ?? (session.repoKey && repositoryName(session.repoKey))]
}
