import type { ToolModule } from './tool.ts'

/** A field that the bridge fills in if the model left it out. */
export type FilledField = 'agentName' | 'machineId' | 'repoKey' | 'requestId' | 'sessionId'

/**
 * The facts of a tool that the hook and the bridge beside an agent need. They start often and must
 * be quick, so schemas and use case are loaded separately, by the server and by a bridge without
 * one.
 */
export type ToolEntry = {
  name: string
  /** The name at the address that `asksHuman`. */
  alias?: string
  /** A call waits for a person unless it sends `wait: false`. */
  waits: boolean
  /** Two equal calls do the same as one, so the bridge may repeat a call that was cut off. */
  repeatable: boolean
  /** Fields of its input that the bridge fills in. */
  fills: readonly FilledField[]
  /**
   * Where the bridge puts the key by which the server recognises a repeated call; undefined for a
   * tool that opens no question. `_meta` is for a tool whose input has no `requestId`.
   */
  key?: 'requestId' | '_meta'
  /** After a call another scope may be in force, so the hook asks the server. */
  changesScope?: boolean
  load(): Promise<ToolModule<never>>
}
