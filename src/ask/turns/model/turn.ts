import type { Id } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { TurnStatus } from '../../sessions/model/session.ts'
import type { TurnDoor, TurnOutcome } from '../../wire/turn-fields.ts'

/** What the turn of a session has come to; `over`: the session has ended. */
export type TurnState = 'working' | TurnOutcome | 'over'

/** Why a waiting hook let its client go. */
export type LetGo = 'typed' | 'expired' | 'ended'

/** The latest turn of a session. */
export type Turn = {
  /** The session. */
  id: Id<'ses'>
  workspaceId: WorkspaceId
  machineId: string
  sessionId: string
  tokenId: TokenId
  client: string
  /** What the hook calls this turn; undefined: it gave it no name. */
  turn: string | undefined
  state: TurnState
  /** Since when it has been in this state. */
  since: number
  seenAt: number
  lastWords: string | undefined
  durationMs: number | undefined
  filesChanged: number | undefined
  /** When people were told of its end. */
  toldAt: number | undefined
  door: TurnDoor | undefined
  /** Until when the end-of-turn hook waits for an instruction. */
  heldUntil: number | undefined
  letGo: LetGo | undefined
  /** How many instructions were handed over since somebody typed at the terminal. */
  inRow: number
}

/** So many instructions may follow each other without a key at the terminal. */
export const IN_ROW_MAX = 7

/** The longest that a hook of ours holds a client, whatever the client would allow. */
export const HOLD_MAX_MS = 8 * 60 * 60_000

/** A session that waits this long stands on top. */
export const LONG_WAIT_MS = 20 * 60_000

const ENDED: ReadonlySet<TurnState> = new Set(['finished', 'failed', 'rate_limited', 'waits'])

/** Whether the turn has ended, so that a person may say what comes next. */
export function hasEnded({ state }: Pick<Turn, 'state'>): boolean {
  return ENDED.has(state)
}

/** Whether a report of the turn's work is late: it has ended since. */
export function isLate({ state, turn }: Pick<Turn, 'state' | 'turn'>, name?: string): boolean {
  return name !== undefined && name === turn && state !== 'working'
}

/** Whether an instruction may be handed over now: the agent is not at work. */
export function isReady(turn: Pick<Turn, 'state'>): boolean {
  return hasEnded(turn) || turn.state === 'over'
}

/** The turn as the list of sessions counts it; a wait for more than a day is nobody's any more. */
export function turnStatus(turn: Turn | undefined, now: number): TurnStatus | undefined {
  if (!turn) return undefined
  const { state, since } = turn
  if (state === 'working' || state === 'busy') return 'working'
  if (state === 'over') return 'over'
  if (!hasEnded(turn) || now - since > FORGOTTEN_MS) return undefined
  return state === 'failed' || state === 'rate_limited' ? 'failed' : 'finished'
}

const FORGOTTEN_MS = 24 * 60 * 60_000

/** Since when the session waits for a person; undefined if it does not. */
export function waitsSince(turn: Turn | undefined): number | undefined {
  return turn && hasEnded(turn) ? turn.since : undefined
}

/** Whether a hook holds the client now. */
export function isHeld({ heldUntil, letGo }: Turn, now: number): boolean {
  return letGo === undefined && heldUntil !== undefined && heldUntil > now
}
