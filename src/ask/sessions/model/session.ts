import type { AgentSessionId, WorkspaceId } from '../../../platform/ids.ts'

/** An agent's working session: (workspace, machineId, sessionId). */
export type AgentSession = {
  id: AgentSessionId
  workspaceId: WorkspaceId
  /** Empty when its calls named no machine. */
  machineId: string
  sessionId: string
  agentName: string | undefined
  client: string | undefined
  repoKey: string | undefined
  /** What it did last, in a line. */
  lastAction: string | undefined
  lastSeenAt: number
  /** When it last reported an error that nothing else followed. */
  erroredAt: number | undefined
  /** Approvals that ended unanswered in a row. */
  unanswered: number
  createdAt: number
  /** Only test traffic has told of it. */
  test: boolean
}

export type SessionStatus = 'waiting' | 'errored' | 'active' | 'idle' | 'offline'

// A session that did something this recently is at work; after a quarter of an hour it is gone.
const ACTIVE_MS = 2 * 60_000
const OFFLINE_MS = 15 * 60_000

/** What a session is up to; the first that holds, the blocked first. */
export function statusOf(
  session: Pick<AgentSession, 'lastSeenAt' | 'erroredAt'>,
  hasOpenQuestion: boolean,
  now: number,
): SessionStatus {
  if (hasOpenQuestion) return 'waiting'
  const silentMs = now - session.lastSeenAt
  if (silentMs >= OFFLINE_MS) return 'offline'
  if (session.erroredAt !== undefined) return 'errored'
  return silentMs < ACTIVE_MS ? 'active' : 'idle'
}

/** How a list of sessions is ordered: who needs the person comes first. */
export const STATUS_ORDER: readonly SessionStatus[] = [
  'waiting',
  'errored',
  'active',
  'idle',
  'offline',
]

/** Whether the approvals of a session are not sent any more; 0 as `pauseAfter` never pauses. */
export function isPaused({ unanswered }: Pick<AgentSession, 'unanswered'>, pauseAfter: number) {
  return pauseAfter > 0 && unanswered >= pauseAfter
}
