import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Viewer } from '../accounts/model/person.ts'
import type { Question } from '../questions/model/question.ts'
import { countOpenQuestions } from '../questions/model/store.ts'
import { type AgentSessionId, OFFLINE_MS, statusOf } from '../sessions/model/session.ts'
import { findSessionByKey, listErroredSessions, seesSession } from '../sessions/model/store.ts'
import { type SeenSession, silentSessions } from './read-sessions.ts'

type Deps = { db: Db; clock: Clock }

/**
 * Sessions whose last report is an error and that do not wait for an answer, the latest first; at
 * most `limit`.
 */
export async function readErrored(
  { db, clock }: Deps,
  viewer: Viewer,
  limit: number,
): Promise<SeenSession[]> {
  const now = clock.now()
  const since = now - OFFLINE_MS + 1
  const sessions: SeenSession[] = []
  for (const session of await listErroredSessions(db.read, viewer, since, ERRORED_MAX)) {
    const { machineId, sessionId } = session
    const open = await countOpenQuestions(db.read, viewer, now, {
      session: { machineId, sessionId },
    })
    const status = statusOf(session, open > 0, now)
    if (status === 'errored') sessions.push({ session, open: [], status })
    if (sessions.length >= limit) break
  }
  if (sessions.length === 0) return sessions
  const silent = await silentSessions({ db, clock }, viewer)
  return sessions.map((one) => ({ ...one, silentSince: silent.get(one.session.sessionId) }))
}

// More would be looked through for a few rows of a page.
const ERRORED_MAX = 100

/** Finds the session of each question, by `sessionKey`; sessions nobody has seen are left out. */
export async function readSessionIds(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  questions: readonly Question[],
): Promise<ReadonlyMap<string, AgentSessionId>> {
  const asking = new Map(
    questions.flatMap((question) => {
      const { machineId = '', sessionId } = question
      const key = sessionKey(question)
      return key === undefined || sessionId === undefined
        ? []
        : [[key, { workspaceId: viewer.workspaceId, machineId, sessionId }] as const]
    }),
  )
  const pairs = await Promise.all(
    [...asking].map(
      async ([key, machineSession]) =>
        [key, await findSessionByKey(db.read, machineSession)] as const,
    ),
  )
  const visible = await Promise.all(
    pairs.map(async ([key, session]) =>
      session && (await seesSession(db.read, viewer, session)) ? [[key, session.id] as const] : [],
    ),
  )
  return new Map(visible.flat())
}

/** Returns the key of the session of a question in a workspace; undefined if it names none. */
export function sessionKey({ machineId = '', sessionId }: Question): string | undefined {
  return sessionId === undefined ? undefined : JSON.stringify([machineId, sessionId])
}
