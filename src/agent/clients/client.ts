import type { HookCall, Rendered, Verdict } from '../calls/tool-call.ts'
import type { ClientSetup } from '../client-files/client-setup.ts'
import type { ClientTurns } from './client-turns.ts'

/**
 * One agent client. Whatever is not needed by every command is loaded when it is needed: a hook
 * runs before every tool call.
 */
export type AgentClient = {
  /** As in `beckon setup NAME` and `beckon hook NAME`. */
  name: string
  /** As people know it. */
  title: string
  /** The name in the client's MCP handshake, where it gives no title. */
  mcpName?: string
  /** True if the client hides every tool named `ask_user` when it runs without a person. */
  hidesAskUser?: true
  /**
   * Other clients whose hooks it runs too, and whether it is the one that sent an input to such a
   * hook.
   */
  alsoRuns?: {
    hooksOf: readonly string[]
    wrote(input: Readonly<Record<string, unknown>>): boolean
  }
  setup(): Promise<ClientSetup>
  /** Left out by clients that have no hooks. */
  hook?(): Promise<ClientHook>
  /**
   * Returns the input of the hook before the client ran `echo hello > made.txt`, for `beckon setup
   * --check`.
   */
  shellCall?(): Promise<unknown>
  /** For the documentation; a test compares the tables there with this. */
  docs: {
    /** The file in docs/clients/. */
    page: string
    /** `run`: tested with the real client. */
    evidence: 'run' | 'documents'
    /**
     * The starter of the client's shell commands while a scope holds on Linux, and when that is no
     * jail.
     */
    commands: { startedBy: string; unless?: string; visible?: string }
    hook?: { asksAtTerminal: string; paths: string; promptsOnPhone: string }
  }
}

/** The environment of the hook process, as the client made it. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>

/** How a client calls its hooks, and the replies that it understands. */
export type ClientHook = {
  /** How long the client waits for a hook when `beckon setup` wrote the entry, in milliseconds. */
  hostTimeoutMs: number
  /**
   * The client itself sets that limit, whatever the entry says, and then lets the tool run: without
   * an answer the hook declines.
   */
  hasOwnLimit?: true
  /** Returns true if the client can put the decision of this call to the person at its terminal. */
  canAsk(call: HookCall): boolean
  /** True if the client's own permission prompts come to the hook and can be decided there. */
  relays: boolean
  /**
   * Reads standard input, and the event named on the command line, if any. Never throws: input that
   * it does not understand has the event `unknown`.
   */
  parse(input: unknown, env: HookEnvironment, event?: string): HookCall
  /** Returns true if a prompt is about one of our own tools, which need no prompt. */
  isOurTool?(call: HookCall): boolean
  /**
   * The input of a shell call with each of its commands replaced; undefined if the client could not
   * take that. Left out by clients whose hooks cannot replace an input.
   */
  withCommands?(call: HookCall, replace: (command: string) => string): unknown
  /**
   * Returns true if the client accepts a replaced command in the mode of this call. Left out by
   * clients that accept it in every mode.
   */
  takesCommands?(call: HookCall): boolean
  /**
   * Returns true if the client may start commands in its own sandbox, in which no namespaces can be
   * created: a jail is Landlock alone there. Returns true when in doubt. Never throws.
   */
  hasSandbox?(call: HookCall, env: HookEnvironment): boolean
  /**
   * Returns true if the person's settings of the client have rules about commands, which would
   * judge the replaced command: the hook then leaves commands as they are. Never throws.
   */
  hasRules?(call: HookCall, env: HookEnvironment): boolean
  /** True if the client starts commands with bash, whatever the user's shell is. */
  startsBash?: true
  /** How a person's next instruction reaches it; left out where turns are not reported. */
  turns?: ClientTurns
  render(verdict: Verdict, call: HookCall): Rendered
}

// If a hook takes too long, the client lets the tool run, so the hook finishes before that.
const SLACK_MS = 5_000
// A limit of the client's own counts from before the program has started, on a busy machine too.
const OWN_LIMIT_SLACK_MS = 10_000

/** Within how many milliseconds a hook of the client decides at the latest. */
export function decidesWithinMs(of: Pick<ClientHook, 'hostTimeoutMs' | 'hasOwnLimit'>): number {
  return of.hostTimeoutMs - (of.hasOwnLimit ? OWN_LIMIT_SLACK_MS : SLACK_MS)
}

/** A client with its half for hooks. */
export type HookClient = AgentClient & ClientHook

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The fields of an object; no fields for anything else. */
export function fieldsOf(input: unknown): Record<string, unknown> {
  const isObject = input !== null && typeof input === 'object' && !Array.isArray(input)
  return isObject ? (input as Record<string, unknown>) : {}
}
