import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import {
  definitionOf,
  fingerprintOf,
  type ToolDefinition,
} from '../../platform/mcp/tool-fingerprint.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanLine, cutText, visibleText } from '../../platform/text.ts'
import { chargeToken, type Limited, USUAL } from '../accounts/charge-token.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { Policies } from '../policy/model/store.ts'
import {
  GATE_TOOL_BYTES_MAX,
  type GateToolsReply,
  type GateToolsReport,
  type ListedTool,
  TOOL_NAME_MAX,
} from '../wire/gate-fields.ts'
import { type Gate, type GateId, type GateTool, seenIn, stateOf } from './model/gate.ts'
import {
  countGates,
  findGate,
  listGateTools,
  saveGate,
  saveGateTool,
  unlistGateTools,
} from './model/store.ts'
import { findGateVersion, replaceGateTool, setGateVersionAside } from './model/version-store.ts'
import { serverLine } from './server-line.ts'
import { tellChange } from './tell-change.ts'
import { decidedUnasked } from './unasked.ts'

export type GateDeps = {
  db: Db
  clock: Clock
  policies: Policies
  sender: Sender
  baseUrl: string
  limited?: Limited
}

/** The most gates of a workspace. */
const GATES_MAX = 200

type Reported = { name: string; fingerprint: string; definition: ToolDefinition }

/**
 * Stores the list of tools that a server gave through its gate, and says of each whether a person has
 * seen it so. Throws `limit_reached`, `unavailable`.
 */
export async function reportTools(
  deps: GateDeps,
  name: string,
  report: GateToolsReport,
  { caller }: CallContext,
): Promise<GateToolsReply> {
  const { db, clock, policies, limited = USUAL } = deps
  const { workspaceId, tokenId } = caller
  const now = clock.now()
  const { tools, leftOut } = readTools(report)
  const gate = gateOf(newId('gate', now), { workspaceId, name, now }, report)
  const stored = await db.write(async (tx) => {
    await tx.lock(`gate ${workspaceId} ${name}`)
    const existing = await findGate(tx, gate)
    if (!existing) await holdToGates(tx, gate)
    const saved = await saveGate(tx, gate)
    const { all, changed, bytes } = await storeTools(tx, saved.id, tools, now)
    const charge = { tokenId, workspaceId, at: now, openQuestions: 0 as const, bytes: 0 }
    if (bytes > 0) await chargeToken(tx, limited, { ...charge, beside: bytes })
    return { gate: saved, all, changed }
  })
  if (stored.changed.length > 0 && !caller.test) {
    await tellChange(deps, stored.gate, stored.changed, caller)
  }
  const { rules } = await policies.of(workspaceId)
  const listed = stored.all.filter((tool) => tool.listed)
  return {
    gateId: stored.gate.id,
    tools: listed.map((tool) => ({
      name: tool.name,
      fingerprint: tool.fingerprint,
      state: stateOf(tool),
      unasked: decidedUnasked(rules, { gate: name, tool, machineId: report.machineId }),
    })),
    leftOut,
  }
}

function gateOf(
  id: GateId,
  { workspaceId, name, now }: Pick<Gate, 'workspaceId' | 'name'> & { now: number },
  { server, machineId, machineName, instructions }: GateToolsReport,
): Gate {
  const line = (text: string | undefined) => (text && cleanLine(text)) || undefined
  return {
    id,
    workspaceId,
    name,
    serverHash: sha256(server),
    server: serverLine(server),
    machineId: line(machineId),
    machineName: line(machineName),
    // Written out, so that nothing in it hides or turns text.
    instructions: instructions && visibleText(instructions),
    instructionsHash: instructions === undefined ? undefined : sha256(instructions),
    confirmedInstructions: undefined,
    createdAt: now,
    seenAt: now,
    toldAt: undefined,
  }
}

async function holdToGates(tx: Tx, { workspaceId }: Gate): Promise<void> {
  if ((await countGates(tx, workspaceId)) < GATES_MAX) return
  throw new Failure(
    'limit_reached',
    `This workspace has ${GATES_MAX} gates, the most it may have; this one was not stored. An owner can remove gates in the settings.`,
  )
}

/** The tools that can be recognised again, and why the others cannot. */
function readTools({ server, tools }: GateToolsReport) {
  const leftOut: GateToolsReply['leftOut'] = []
  const byName = new Map<string, Reported>()
  for (const tool of tools) {
    const read = readTool(server, tool, byName)
    if (typeof read === 'string')
      leftOut.push({ name: cutText(cleanLine(tool.name), 100), why: read })
    else byName.set(read.name, read)
  }
  return { tools: [...byName.values()], leftOut }
}

function readTool(
  server: string,
  tool: ListedTool,
  before: ReadonlyMap<string, Reported>,
): Reported | string {
  const { name } = tool
  if (name === '' || name.length > TOOL_NAME_MAX || name !== cleanLine(name)) {
    return `Its name is empty, longer than ${TOOL_NAME_MAX} characters, or has characters that cannot be seen.`
  }
  if (before.has(name)) return 'The list has two tools of this name; the first one counts.'
  try {
    const definition = definitionOf(tool)
    if (Buffer.byteLength(JSON.stringify(definition)) > GATE_TOOL_BYTES_MAX) {
      return `It has more than ${GATE_TOOL_BYTES_MAX / 1024} KiB.`
    }
    return { name, definition, fingerprint: fingerprintOf(server, definition) }
  } catch {
    return 'It is nested too deeply to be compared.'
  }
}

/**
 * Puts another version of a tool in the place of the one that was listed before; true if that version
 * was listed before as well, by another machine or session: then nothing has changed.
 */
async function switchVersion(
  tx: Tx,
  old: GateTool | undefined,
  next: Omit<GateTool, 'confirmed' | 'lastYes'>,
): Promise<boolean> {
  if (!old || old.fingerprint === next.fingerprint) return false
  const version = await findGateVersion(tx, next)
  await setGateVersionAside(tx, old, next.changedAt)
  if (version) await replaceGateTool(tx, { ...next, ...seenIn(version, old) })
  return version !== undefined
}

/**
 * Writes what differs from the last list; resolves to all tools of the gate, and to the names of
 * those that people had seen otherwise.
 */
async function storeTools(
  tx: Tx,
  gateId: GateId,
  tools: readonly Reported[],
  now: number,
): Promise<{ all: GateTool[]; changed: string[]; bytes: number }> {
  const before = new Map((await listGateTools(tx, gateId)).map((tool) => [tool.name, tool]))
  const changed: string[] = []
  let bytes = 0
  for (const tool of tools) {
    const old = before.get(tool.name)
    if (old?.listed && old.fingerprint === tool.fingerprint) continue
    const next = { gateId, ...tool, listed: true, changedAt: now }
    if (await switchVersion(tx, old, next)) continue
    await saveGateTool(tx, next)
    bytes += Buffer.byteLength(JSON.stringify(tool.definition))
    if (old && stateOf({ ...old, fingerprint: tool.fingerprint }) === 'changed')
      changed.push(tool.name)
  }
  const names = new Set(tools.map(({ name }) => name))
  const gone = [...before.values()].filter(({ name, listed }) => listed && !names.has(name))
  await unlistGateTools(
    tx,
    gateId,
    gone.map(({ name }) => name),
  )
  return { all: await listGateTools(tx, gateId), changed, bytes }
}
