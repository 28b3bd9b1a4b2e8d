import type { HookCall } from '../calls/tool-call.ts'
import type { TurnRecord } from '../state/turn-record.ts'

/** How an instruction reaches a session of a client whose turn has ended. */
export type ClientTurns = {
  /** The variable of the client's environment that names the folder of its settings. */
  home?: string
  /** Whether a waiting end-of-turn hook keeps the client busy. */
  blocks: boolean
  /** How long the hook of this event may wait for an instruction; undefined: it does not. */
  waits?(call: HookCall): { ms: number; blocks: boolean } | undefined
  /** What hands an instruction to an idle session without a hook; undefined where there is nothing. */
  idleDelivery?(record: TurnRecord): IdleDelivery | undefined
}

export type IdleDelivery = {
  name: 'queue' | 'input_file'
  /** Hands the text to the client; false if the client did not take it. Never throws. */
  deliver(text: string): Promise<boolean>
}
