import { and, type Column, eq, isNull, or } from 'drizzle-orm'

/** The agents' name for their session; `machineId` is empty if its calls named no machine. */
export type SessionName = { machineId: string; sessionId: string }

/** The rows of one session, by columns that every row made by an agent has. */
export function inSession(of: { machineId: Column; sessionId: Column }, session: SessionName) {
  const { machineId, sessionId } = session
  const machine =
    machineId === '' ? or(isNull(of.machineId), eq(of.machineId, '')) : eq(of.machineId, machineId)
  return and(eq(of.sessionId, sessionId), machine)
}
