import type { HookCall, Rendered, Verdict } from '../hook/tool-call.ts'

/** The environment of the hook process, as the client made it. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>

/** What `beckon doctor` says about a client: what is wrong, and what to do. */
export type ClientTrouble = { said: string; cure: string }

/** One agent client: how it tells its hooks something, and how it wants to be told. */
export type HookClient = {
  /** The name in `beckon hook NAME`. */
  name: string
  /** As people know it. */
  title: string
  /** How long the client waits for a hook when `beckon setup` wrote the entry, in milliseconds. */
  hostTimeoutMs: number
  /** Whether the client can put the decision of this call to the person at its terminal. */
  canAsk(call: HookCall): boolean
  /** Whether its own permission prompts come to the hook and can be decided there. */
  relays: boolean
  /**
   * Reads what stood on standard input, and the event named on the command line, if any. Never
   * throws: what it does not understand has the event `unknown`.
   */
  parse(input: unknown, env: HookEnvironment, event?: string): HookCall
  /** Whether this prompt is about a tool of ours, which is used without one. */
  isOurTool?(call: HookCall): boolean
  render(verdict: Verdict, call: HookCall): Rendered
}
