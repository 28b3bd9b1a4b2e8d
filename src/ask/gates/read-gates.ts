import type { Read } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { whyTool } from '../wire/danger/destructive.ts'
import { describeTool } from './describe-tool.ts'
import { type Gate, type GateTool, isConfirmed, stateOf } from './model/gate.ts'
import { listGates, listGateTools } from './model/store.ts'

/** `new`, `changed`: an owner has to look at it. `unlisted`: its server lists it no more. */
export type Standing = 'changed' | 'new' | 'confirmed' | 'unlisted'

/** A gate with its tools, those to look at first. */
export type SeenGate = { gate: Gate; tools: GateTool[]; toLookAt: number }

const ORDER: readonly Standing[] = ['changed', 'new', 'confirmed', 'unlisted']

export function standingOf(tool: GateTool): Standing {
  if (!tool.listed) return 'unlisted'
  if (isConfirmed(tool)) return 'confirmed'
  // What a person allowed once, and is as it was then, no owner has confirmed.
  return tool.confirmed || stateOf(tool) === 'changed' ? 'changed' : 'new'
}

export async function readSeenGate(read: Read, gate: Gate): Promise<SeenGate> {
  const tools = await listGateTools(read, gate.id)
  const ordered = tools.toSorted(
    (a, b) => ORDER.indexOf(standingOf(a)) - ORDER.indexOf(standingOf(b)),
  )
  const toLookAt = tools.filter((tool) => /new|changed/.test(standingOf(tool))).length
  return { gate, tools: ordered, toLookAt }
}

export async function readSeenGates(read: Read, workspaceId: WorkspaceId): Promise<SeenGate[]> {
  const all = await listGates(read, workspaceId)
  return await Promise.all(all.map((gate) => readSeenGate(read, gate)))
}

/**
 * Whether a tool is proposed to run without asking: as an owner decided about it as it is. One that
 * has changed since is not, so that nobody allows other words by confirming the whole page. A new one
 * is if its server says that it reads and nothing in its name speaks against it. It takes effect once
 * an owner confirms it.
 */
export function proposedUnasked(tool: GateTool): boolean {
  if (tool.confirmed) return isConfirmed(tool) && tool.confirmed.unasked
  const { readOnly, destructive } = describeTool(tool).hints ?? {}
  return readOnly === true && destructive !== true && whyTool(tool.name) === undefined
}
