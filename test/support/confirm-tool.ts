import type { PersonId, WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { confirmGateTool, listGates, listGateTools } from '../../src/ask/gates/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { until } from './until.ts'

/** An owner confirms a tool as it is, once its gate has reported it: its calls are not asked about. */
export async function confirmTool(db: Db, workspaceId: WorkspaceId, tool: string): Promise<void> {
  await until(async () => {
    const [gate] = await listGates(db.read, workspaceId)
    const tools = gate ? await listGateTools(db.read, gate.id) : []
    const { fingerprint, definition, gateId } = tools.find(({ name }) => name === tool) ?? {}
    if (!fingerprint || !definition || !gateId) return false
    const by = 'owner' as PersonId
    const confirmed = { fingerprint, definition, at: clock.now(), by, unasked: true }
    return await db.write((tx) => confirmGateTool(tx, gateId, tool, confirmed))
  })
}
