import type { Id } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'

export type AgentSessionId = Id<'ses'>

/** An agent's working session: (workspace, machineId, sessionId). */
export type AgentSession = {
  id: AgentSessionId
  workspaceId: WorkspaceId
  /** Empty if its calls named no machine. */
  machineId: string
  sessionId: string
  /** The token that reported it first. */
  tokenId: TokenId | undefined
  agentName: string | undefined
  client: string | undefined
  repoKey: string | undefined
  /** The git branch it works on, or the commit of a detached work tree; as its hook last said. */
  branch: string | undefined
  /** The task that its agent last named. */
  intent: string | undefined
  /** The name that the machine reports. */
  machineName: string | undefined
  /** The last action, in a line. */
  lastAction: string | undefined
  lastSeenAt: number
  /** When it last reported an error that nothing else followed. */
  erroredAt: number | undefined
  /** How many approvals in a row ended unanswered. */
  unanswered: number
  createdAt: number
  /** Only test traffic has mentioned it. */
  test: boolean
}

/** `finished` and `failed`: the turn of the agent ended so, and it waits for a person. */
export type SessionStatus =
  | 'waiting'
  | 'failed'
  | 'finished'
  | 'errored'
  | 'active'
  | 'idle'
  | 'offline'

/** What the turn of a session has come to, if its hook reports it. */
export type TurnStatus = 'working' | 'finished' | 'failed' | 'over'

// A session counts as working this long after it did something, and as gone after a quarter of an
// hour.
const ACTIVE_MS = 2 * 60_000
export const OFFLINE_MS = 15 * 60_000

/** The status of a session; the first that applies, blocked ones first. */
export function statusOf(
  session: Pick<AgentSession, 'lastSeenAt' | 'erroredAt'>,
  hasOpenQuestion: boolean,
  now: number,
  turn?: TurnStatus,
): SessionStatus {
  if (hasOpenQuestion) return 'waiting'
  if (turn === 'finished' || turn === 'failed') return turn
  if (turn === 'over') return 'offline'
  const silentMs = now - session.lastSeenAt
  if (silentMs >= OFFLINE_MS) return 'offline'
  if (turn === 'working') return 'active'
  if (session.erroredAt !== undefined) return 'errored'
  return silentMs < ACTIVE_MS ? 'active' : 'idle'
}

/** The order of a list of sessions: those that need the person come first. */
export const STATUS_ORDER: readonly SessionStatus[] = [
  'waiting',
  'failed',
  'finished',
  'errored',
  'active',
  'idle',
  'offline',
]

/**
 * Returns true if approvals of a session are no longer sent; with `pauseAfter` 0 it is never
 * paused.
 */
export function isPaused({ unanswered }: Pick<AgentSession, 'unanswered'>, pauseAfter: number) {
  return pauseAfter > 0 && unanswered >= pauseAfter
}

/** Lists show the sessions of the last week; older ones are in the activity. */
export const LOOK_BACK_MS = 7 * 24 * 60 * 60_000
export const SESSIONS_MAX = 1_000
