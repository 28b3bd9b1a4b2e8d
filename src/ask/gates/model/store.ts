import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { ConfirmedTool, Gate, GateId, GateTool, SeenTool } from './gate.ts'
import { gates, gateTools, gateVersions } from './table.ts'

type GateKey = Pick<Gate, 'workspaceId' | 'name' | 'serverHash'>

export async function findGate(read: Read, key: GateKey): Promise<Gate | undefined> {
  const [row] = await findByKey(read).execute(key)
  return row && nullsToUndefined(row)
}

// Every call through a gate reads it, and its tool.
const findByKey = prepared((read: Read) =>
  read
    .select()
    .from(gates)
    .where(
      and(
        eq(gates.workspaceId, sql.placeholder('workspaceId')),
        eq(gates.name, sql.placeholder('name')),
        eq(gates.serverHash, sql.placeholder('serverHash')),
      ),
    )
    .prepare(),
)

export async function readGate(
  read: Read,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Gate | undefined> {
  const [row] = await read
    .select()
    .from(gates)
    .where(and(eq(gates.workspaceId, workspaceId), eq(gates.id, id as GateId)))
  return row && nullsToUndefined(row)
}

/** The gates of a workspace, those used last first. */
export async function listGates(read: Read, workspaceId: WorkspaceId): Promise<Gate[]> {
  const rows = await read
    .select()
    .from(gates)
    .where(eq(gates.workspaceId, workspaceId))
    .orderBy(desc(gates.seenAt), desc(gates.id))
  return rows.map(nullsToUndefined)
}

export async function countGates(read: Read, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await read
    .select({ number: count() })
    .from(gates)
    .where(eq(gates.workspaceId, workspaceId))
  return row?.number ?? 0
}

type GateReport = Pick<
  Gate,
  'machineId' | 'machineName' | 'instructions' | 'instructionsHash' | 'seenAt'
>

/** Stores a gate that is not stored yet, or what is new of it; returns it as it is stored. */
export async function saveGate(tx: Tx, gate: Gate): Promise<Gate> {
  const { machineId, machineName, instructions, instructionsHash, seenAt } = gate
  const report = nulled({ machineId, machineName, instructions, instructionsHash, seenAt })
  const [row] = await tx
    .insert(gates)
    .values(gate)
    .onConflictDoUpdate({ target: [gates.workspaceId, gates.name, gates.serverHash], set: report })
    .returning()
  if (!row) throw new Error('a gate was not stored')
  tx.emit('gate', row.id)
  return nullsToUndefined(row)
}

function nulled(report: GateReport) {
  return {
    ...report,
    machineId: report.machineId ?? null,
    machineName: report.machineName ?? null,
    instructions: report.instructions ?? null,
    instructionsHash: report.instructionsHash ?? null,
  }
}

/** The tools of a gate by name, also those that its server lists no more. */
export async function listGateTools(read: Read, gateId: GateId): Promise<GateTool[]> {
  const rows = await read
    .select()
    .from(gateTools)
    .where(eq(gateTools.gateId, gateId))
    .orderBy(gateTools.name)
  return rows.map(nullsToUndefined)
}

export async function findGateTool(
  read: Read,
  gateId: GateId,
  name: string,
): Promise<GateTool | undefined> {
  const [row] = await findTool(read).execute({ gateId, name })
  return row && nullsToUndefined(row)
}

const findTool = prepared((read: Read) =>
  read
    .select()
    .from(gateTools)
    .where(
      and(
        eq(gateTools.gateId, sql.placeholder('gateId')),
        eq(gateTools.name, sql.placeholder('name')),
      ),
    )
    .prepare(),
)

/** Stores a tool as it is listed now; what people saw of it stays. */
export async function saveGateTool(
  tx: Tx,
  tool: Omit<GateTool, 'confirmed' | 'lastYes'>,
): Promise<void> {
  const { fingerprint, definition, listed, changedAt } = tool
  await tx
    .insert(gateTools)
    .values(tool)
    .onConflictDoUpdate({
      target: [gateTools.gateId, gateTools.name],
      set: { fingerprint, definition, listed, changedAt },
    })
  tx.emit('gate', tool.gateId)
}

/** Notes that the server of a gate lists these tools no more. */
export async function unlistGateTools(
  tx: Tx,
  gateId: GateId,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const these = and(eq(gateTools.gateId, gateId), inArray(gateTools.name, [...names]))
  await tx.update(gateTools).set({ listed: false }).where(these)
  tx.emit('gate', gateId)
}

/**
 * Keeps an owner's confirmation of a tool, if it is still listed as they saw it; false if not. One
 * update decides every race with a new list.
 */
export async function confirmGateTool(
  tx: Tx,
  gateId: GateId,
  name: string,
  confirmed: ConfirmedTool,
): Promise<boolean> {
  const rows = await tx
    .update(gateTools)
    .set({ confirmed })
    .where(
      and(
        eq(gateTools.gateId, gateId),
        eq(gateTools.name, name),
        eq(gateTools.fingerprint, confirmed.fingerprint),
      ),
    )
    .returning({ name: gateTools.name })
  if (rows.length > 0) tx.emit('gate', gateId)
  return rows.length > 0
}

/** Keeps how a tool was when a person allowed a call of it. */
export async function noteGateYes(
  tx: Tx,
  gateId: GateId,
  name: string,
  lastYes: SeenTool,
): Promise<void> {
  await tx
    .update(gateTools)
    .set({ lastYes })
    .where(and(eq(gateTools.gateId, gateId), eq(gateTools.name, name)))
}

/** Deletes a gate with its tools. */
export async function deleteGate(tx: Tx, id: GateId): Promise<void> {
  await tx.delete(gateTools).where(eq(gateTools.gateId, id))
  await tx.delete(gateVersions).where(eq(gateVersions.gateId, id))
  await tx.delete(gates).where(eq(gates.id, id))
  tx.emit('gate', id)
}

/** Keeps which instructions of a server an owner has read. */
export async function confirmInstructions(tx: Tx, id: GateId, hash: string): Promise<void> {
  await tx.update(gates).set({ confirmedInstructions: hash }).where(eq(gates.id, id))
}

/** Keeps when people were told of a change. */
export async function noteTold(tx: Tx, id: GateId, at: number): Promise<void> {
  await tx.update(gates).set({ toldAt: at }).where(eq(gates.id, id))
}
