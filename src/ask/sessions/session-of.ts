import type { PageDeps } from '../pages/page-deps.ts'
import type { Question } from '../questions/model/question.ts'
import type { AgentSession } from './model/session.ts'
import { findSessionByKey } from './model/store.ts'

/** The session that asked; undefined when the question named none. */
export async function sessionOf(
  { db }: PageDeps,
  { workspaceId, machineId = '', sessionId }: Question,
): Promise<AgentSession | undefined> {
  if (sessionId === undefined) return undefined
  return findSessionByKey(db.read, { workspaceId, machineId, sessionId })
}
