import type { ToolModule } from '../mcp/tool.ts'

/** A field that the bridge fills in where the model left it out. */
export type FilledField = 'agentName' | 'machineId' | 'repoKey' | 'requestId' | 'sessionId'

/**
 * What the hook and the bridge beside an agent must know of a tool. They start often and quickly,
 * so schemas and use case are loaded apart, by the server and by a bridge without one.
 */
export type ToolEntry = {
  name: string
  /** Its name at the address with `HUMAN_QUERY`. */
  alias?: string
  /** A call waits for a person unless it says `wait: false`. */
  waits: boolean
  /** Two equal calls do the same as one, so the bridge may repeat a call that was cut off. */
  repeatable: boolean
  /** Fields of its input that the bridge fills in. */
  fills: readonly FilledField[]
  /**
   * Where the bridge puts the key by which the server knows a repeated call; undefined for a tool
   * that opens no question. `_meta` is for a tool whose input has no `requestId`.
   */
  key?: 'requestId' | '_meta'
  /** After a call another scope may be in force, so the hook asks the server. */
  changesScope?: boolean
  load(): Promise<ToolModule<never>>
}

/** For the one client that hides every tool named `ask_user` when it runs alone. */
export const HUMAN_QUERY = '?ask=ask_human'
