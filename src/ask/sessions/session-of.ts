import type { Db } from '../../platform/db/database.ts'
import type { Question } from '../questions/model/question.ts'
import type { AgentSession } from './model/session.ts'
import { findSessionByKey } from './model/store.ts'

type Deps = { db: Db }

/** The session that asked; undefined if the question named none. */
export async function recordedSession(
  { db }: Deps,
  { workspaceId, machineId = '', sessionId }: Question,
): Promise<AgentSession | undefined> {
  if (sessionId === undefined) return undefined
  return findSessionByKey(db.read, { workspaceId, machineId, sessionId })
}
