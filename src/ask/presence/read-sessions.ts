import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import {
  limitOf,
  type PageRequest,
  type PageSize,
  pageOf,
  unknownCursor,
} from '../../platform/paging.ts'
import { cleanLine } from '../../platform/text.ts'
import { chargeToken, type Limited, seenCharge, USUAL } from '../accounts/charge-token.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { Policies } from '../policy/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { listOpenQuestions } from '../questions/model/store.ts'
import { SEEN_MS, silentHook } from '../scopes/model/hook.ts'
import { findHooks, listMissedHooks } from '../scopes/model/hook-store.ts'
import { findInForce } from '../scopes/model/store.ts'
import {
  type AgentSession,
  type AgentSessionId,
  LOOK_BACK_MS,
  SESSIONS_MAX,
  type SessionStatus,
  STATUS_ORDER,
  statusOf,
} from '../sessions/model/session.ts'
import {
  countUnanswered,
  findSession,
  findSessionByKey,
  listRepositorySessions,
  listSessions,
  seesSession,
  terminalActiveAt,
} from '../sessions/model/store.ts'
import { type Turn, turnStatus, waitsSince } from '../turns/model/turn.ts'
import { findTurn, turnsBySession } from '../turns/model/turn-store.ts'
import { presenceMsOf, provePresence } from './prove-presence.ts'

type Deps = { db: Db; clock: Clock }

/** A session with what is derived from other tables. */
export type SeenSession = {
  session: AgentSession
  status: SessionStatus
  /** The open questions of the session, the oldest first. */
  open: Question[]
  /** When its hook last reported, if a scope holds that nothing enforces any more. */
  silentSince?: number | undefined
  /** Since when its turn has ended, and it waits for a person. */
  waitsSince?: number | undefined
}

/** All sessions, unless that is too much for one response. */
export const SESSIONS_SIZE: PageSize = { usual: SESSIONS_MAX, most: SESSIONS_MAX }
const OPEN_MAX = 1_000

/**
 * The sessions of a workspace, or those that last worked in one repository: the blocked first, then
 * the latest.
 */
export async function readSessions(
  { db, clock }: Deps,
  viewer: Viewer,
  repoKey?: string,
): Promise<SeenSession[]> {
  const now = clock.now()
  const since = now - LOOK_BACK_MS
  const sessions =
    repoKey === undefined
      ? await listSessions(db.read, viewer, since, SESSIONS_MAX)
      : await listRepositorySessions(db.read, { viewer, repoKey }, since, SESSIONS_MAX)
  const open = await openBySession({ db, clock }, viewer)
  const silent = await silentSessions({ db, clock }, viewer)
  const turns = await turnsBySession(db.read, viewer.workspaceId, since, SESSIONS_MAX)
  const rows = sessions.map((session) => ({
    ...derive({ session, open: open.get(keyOf(session)) ?? [], turn: turns.get(session.id), now }),
    silentSince: silent.get(session.sessionId),
  }))
  return rows.sort((a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status))
}

/**
 * As `readSessions`, page by page. Throws `malformed` for a cursor that these pages did not give
 * out.
 */
export async function readSessionPage(
  deps: Deps,
  viewer: Viewer,
  page: PageRequest = {},
): Promise<{ items: SeenSession[]; next?: string }> {
  const all = (await readSessions(deps, viewer)).sort(byPlace)
  const after = page.cursor === undefined ? undefined : placeOf(page.cursor)
  const rest = after ? all.filter((one) => byPlace(one, after) > 0) : all
  return pageOf(rest, limitOf(page, SESSIONS_SIZE), ({ status, session }) =>
    [STATUS_ORDER.indexOf(status), session.lastSeenAt, session.id].join('-'),
  )
}

type Placed = Pick<SeenSession, 'status'> & { session: Pick<AgentSession, 'lastSeenAt' | 'id'> }

/**
 * A session whose order changes between pages may appear twice or not at all; all others appear
 * once.
 */
function byPlace(a: Placed, b: Placed): number {
  const [before, after] = [a.session, b.session]
  return (
    STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) ||
    after.lastSeenAt - before.lastSeenAt ||
    (before.id < after.id ? 1 : before.id > after.id ? -1 : 0)
  )
}

function placeOf(cursor: string): Placed {
  const [, order, lastSeenAt, id] = /^(\d)-(\d{1,15})-(ses_\w{1,64})$/.exec(cursor) ?? []
  const status = STATUS_ORDER[Number(order)]
  if (!status || !id) throw unknownCursor()
  return { status, session: { lastSeenAt: Number(lastSeenAt), id: id as AgentSessionId } }
}

/** Sessions with a scope that continue without their hook, with when that last reported. */
export async function silentSessions({ db, clock }: Deps, { workspaceId }: Viewer) {
  const now = clock.now()
  const missed = await listMissedHooks(db.read, workspaceId, now - SEEN_MS, SESSIONS_MAX)
  const bySession = new Map<string, number>()
  for (const { sessionId } of missed) {
    const hook = silentHook(await findHooks(db.read, workspaceId, sessionId), now)
    const key = { workspaceId, sessionId, test: false }
    if (hook && (await findInForce(db.read, key, now))) bySession.set(sessionId, hook.lastSeenAt)
  }
  return bySession
}

/** One session; undefined if it is not known in this workspace, or not seen. */
export async function readSession(
  { db, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<SeenSession | undefined> {
  const session = await findSession(db.read, viewer.workspaceId, id as AgentSessionId)
  if (!session || !(await seesSession(db.read, viewer, session))) return undefined
  const open = await openBySession({ db, clock }, viewer)
  const turn = await findTurn(db.read, viewer.workspaceId, session.id)
  return derive({ session, open: open.get(keyOf(session)) ?? [], turn, now: clock.now() })
}

/** Resumes a paused session: its next approvals are sent again. Throws `not_found`. */
export async function resumeSession(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  id: string,
  by?: PersonId,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    const session = await findSession(tx, workspaceId, id as AgentSessionId)
    if (!session) throw new Failure('not_found', 'There is no such session here.')
    await countUnanswered(tx, session, 'answered')
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'session.resumed',
      personId: by ?? null,
      subjectId: session.id,
      subjectName: session.sessionId,
    })
    tx.emit('session', session.id)
  })
}

type Proof = {
  machineId: string
  sessionId?: string | undefined
  /** The token that reports: a new machine counts towards its limits. */
  tokenId?: TokenId
}

/**
 * Records that a terminal on the machine is active: for a while phones need not ring. Throws
 * `rate_limited` for a token that wrote too much.
 */
export async function reportPresence(
  { db, clock, policies, limited = USUAL }: Deps & { policies: Policies; limited?: Limited },
  workspaceId: WorkspaceId,
  proof: Proof,
): Promise<void> {
  // Cleaned as in a question, so that both name the same session.
  const machineId = cleanLine(proof.machineId)
  const sessionId = proof.sessionId && cleanLine(proof.sessionId)
  const at = clock.now()
  const presenceMs = await presenceMsOf(policies, workspaceId)
  const { tokenId } = proof
  await db.write(async (tx) => {
    if (tokenId && (await terminalActiveAt(tx, workspaceId, machineId)) === undefined) {
      await chargeToken(tx, limited, seenCharge({ tokenId, workspaceId, at }))
    }
    await provePresence(tx, { workspaceId, machineId, at }, presenceMs)
    if (sessionId === undefined) return
    const session = await findSessionByKey(tx, { workspaceId, machineId, sessionId })
    if (session) tx.emit('session', session.id)
  })
}

async function openBySession({ db, clock }: Deps, viewer: Viewer) {
  const open = await listOpenQuestions(db.read, viewer, clock.now(), OPEN_MAX)
  return Map.groupBy(open, keyOf)
}

function keyOf({
  machineId = '',
  sessionId,
}: {
  machineId?: string | undefined
  sessionId: string | undefined
}) {
  return JSON.stringify([machineId, sessionId])
}

type SessionFacts = { session: AgentSession; open: Question[]; turn: Turn | undefined; now: number }

function derive({ session, open, turn, now }: SessionFacts): SeenSession {
  const status = statusOf(session, open.length > 0, now, turnStatus(turn, now))
  const since = status === 'waiting' ? open[0]?.createdAt : waitsSince(turn)
  const isWaiting = status === 'waiting' || status === 'finished' || status === 'failed'
  return { session, open, status, ...(isWaiting ? { waitsSince: since } : {}) }
}
