import type { Db } from '../../platform/db/database.ts'
import type { AgentSession } from '../sessions/model/session.ts'
import { findSessionByKey } from '../sessions/model/store.ts'
import type { Question } from './model/question.ts'

/** The session that asked; undefined if the question named none. */
export async function recordedSession(
  { db }: { db: Db },
  { workspaceId, machineId = '', sessionId }: Question,
): Promise<AgentSession | undefined> {
  if (sessionId === undefined) return undefined
  return findSessionByKey(db.read, { workspaceId, machineId, sessionId })
}
