import { and, type Column, eq, isNull, or } from 'drizzle-orm'

/** What agents call their session; `machineId` is empty when its calls named no machine. */
export type SessionName = { machineId: string; sessionId: string }

/** The rows of one session, by the columns that every row an agent makes has. */
export function inSession(of: { machineId: Column; sessionId: Column }, session: SessionName) {
  const { machineId, sessionId } = session
  const machine =
    machineId === '' ? or(isNull(of.machineId), eq(of.machineId, '')) : eq(of.machineId, machineId)
  return and(eq(of.sessionId, sessionId), machine)
}
