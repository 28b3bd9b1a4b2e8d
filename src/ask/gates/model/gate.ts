import type { Id } from '../../../platform/ids.ts'
import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export type GateId = Id<'gate'>

/** A server behind a gate. */
export type Gate = {
  id: GateId
  workspaceId: WorkspaceId
  /** The key of the server in its client’s file. */
  name: string
  /** SHA-256 of the command line or URL, as the gate sent it. */
  serverHash: string
  /** The same for people, secrets redacted. */
  server: string
  /** The machine that used it last. */
  machineId: string | undefined
  machineName: string | undefined
  instructions: string | undefined
  instructionsHash: string | undefined
  /** The hash of the instructions that an owner confirmed. */
  confirmedInstructions: string | undefined
  createdAt: number
  seenAt: number
  /** When people were last told of a change. */
  toldAt: number | undefined
}

/** A tool as a person saw it. */
export type SeenTool = { fingerprint: string; definition: ToolDefinition; at: number }

/** A tool as an owner confirmed it. `unasked`: its calls run without asking, unless a rule asks. */
export type ConfirmedTool = SeenTool & { by: PersonId; unasked: boolean }

export type GateTool = {
  gateId: GateId
  name: string
  /** As it is listed now. */
  fingerprint: string
  definition: ToolDefinition
  /** False once the server lists it no more. */
  listed: boolean
  changedAt: number
  confirmed: ConfirmedTool | undefined
  /** As it was when a person last allowed a call of it. */
  lastYes: SeenTool | undefined
}

export type ToolState = 'new' | 'same' | 'changed'

/** The version that a person saw last: confirmed, or allowed to run. */
export function seenOf({ confirmed, lastYes }: Pick<GateTool, 'confirmed' | 'lastYes'>) {
  if (!confirmed || !lastYes) return confirmed ?? lastYes
  return lastYes.at > confirmed.at ? lastYes : confirmed
}

/** What people saw of a version: of itself, or else of the one that is listed in its place. */
export function seenIn(version: GateTool, other: GateTool | undefined) {
  const { confirmed, lastYes } = version.confirmed || version.lastYes ? version : (other ?? version)
  return { confirmed, lastYes }
}

export function stateOf(tool: GateTool): ToolState {
  const seen = seenOf(tool)
  if (!seen) return 'new'
  return seen.fingerprint === tool.fingerprint ? 'same' : 'changed'
}

/** True if an owner confirmed the tool as it is listed now. */
export function isConfirmed({ fingerprint, confirmed, listed }: GateTool): boolean {
  return listed && confirmed?.fingerprint === fingerprint
}
