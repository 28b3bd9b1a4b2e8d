import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { GateId, GateTool } from './gate.ts'
import { gateTools, gateVersions } from './table.ts'

// A server that changes its words with every call fills no disk.
const VERSIONS_MAX = 10

type Key = { gateId: GateId; name: string; fingerprint: string }

const isVersion = ({ gateId, name, fingerprint }: Key) =>
  and(
    eq(gateVersions.gateId, gateId),
    eq(gateVersions.name, name),
    eq(gateVersions.fingerprint, fingerprint),
  )

/** A version that is not the one listed last, as a tool that is listed. */
export async function findGateVersion(read: Read, key: Key): Promise<GateTool | undefined> {
  const [row] = await read.select().from(gateVersions).where(isVersion(key))
  if (!row) return undefined
  const { seenAt, ...version } = nullsToUndefined(row)
  return { ...version, listed: true, changedAt: seenAt }
}

/** Keeps a tool as it was beside the version that replaces it, with what people saw of just this one. */
export async function setGateVersionAside(tx: Tx, tool: GateTool, at: number): Promise<void> {
  const { gateId, name, fingerprint, definition } = tool
  const own = <Seen extends { fingerprint: string }>(seen: Seen | undefined) =>
    seen?.fingerprint === fingerprint ? seen : null
  const rest = { confirmed: own(tool.confirmed), lastYes: own(tool.lastYes), seenAt: at }
  await tx
    .insert(gateVersions)
    .values({ gateId, name, fingerprint, definition, ...rest })
    .onConflictDoUpdate({
      target: [gateVersions.gateId, gateVersions.name, gateVersions.fingerprint],
      set: rest,
    })
  const all = await tx
    .select({ fingerprint: gateVersions.fingerprint })
    .from(gateVersions)
    .where(and(eq(gateVersions.gateId, gateId), eq(gateVersions.name, name)))
    .orderBy(desc(gateVersions.seenAt), gateVersions.fingerprint)
  const old = all.slice(VERSIONS_MAX).map((one) => one.fingerprint)
  if (old.length === 0) return
  const these = inArray(gateVersions.fingerprint, old)
  await tx.delete(gateVersions).where(and(eq(gateVersions.gateId, gateId), these))
}

/** Stores a version in place of the one that was listed before, with what people saw. */
export async function replaceGateTool(tx: Tx, tool: GateTool): Promise<void> {
  const { gateId, name, confirmed = null, lastYes = null, ...rest } = tool
  await tx
    .update(gateTools)
    .set({ ...rest, confirmed, lastYes })
    .where(and(eq(gateTools.gateId, gateId), eq(gateTools.name, name)))
  tx.emit('gate', gateId)
}

/** Keeps that a person allowed a call of a version that is not the one listed last. */
export async function noteVersionYes(tx: Tx, key: Key, at: number): Promise<void> {
  const version = await findGateVersion(tx, key)
  if (!version) return
  const { fingerprint, definition } = version
  await tx
    .update(gateVersions)
    .set({ lastYes: { fingerprint, definition, at } })
    .where(isVersion(key))
}

/** Forgets what owners confirmed of other versions of a tool. */
export async function unconfirmVersions(tx: Tx, gateId: GateId, name: string): Promise<void> {
  await tx
    .update(gateVersions)
    .set({ confirmed: null })
    .where(and(eq(gateVersions.gateId, gateId), eq(gateVersions.name, name)))
}

/** Deletes versions that nothing listed since `before`. */
export async function purgeGateVersions(tx: Tx, before: number): Promise<void> {
  await tx.delete(gateVersions).where(lt(gateVersions.seenAt, before))
}
