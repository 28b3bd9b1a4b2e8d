import type { Touch } from '../../ask/wire/matcher/judge.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { TurnEvent } from './turn-event.ts'

/** The events and tool calls of all coding agents, in one vocabulary. */
export type HookEvent =
  | 'session_start'
  | 'prompt'
  | 'before_tool'
  | 'permission'
  | 'after_tool'
  | 'tool_failed'
  | 'notification'
  /** The client is asking its person at the terminal now; a hook's reply has no effect. */
  | 'waiting'
  | 'stop'
  | 'session_end'
  | 'unknown'

/**
 * A path as the tool call contains it, and what would be done to it. `goes`: it is removed, moved or
 * copied with everything in it. `leavesOut`: a filter is given, which nobody interprets.
 */
export type PathTouch = {
  path: string
  touch: Touch
  goes?: true
  leavesOut?: true
  /** Of a folder that goes: with what the links in it lead to. */
  follows?: true
  /** Of a folder that goes: only what has one of these names, or is below it. */
  nameFilter?: readonly string[]
}

/** One event of an agent client, as a `HookClient` read it. */
export type HookCall = {
  client: string
  event: HookEvent
  /** The client's own name of the event. */
  rawEvent: string
  sessionId?: string
  /** Absolute. */
  cwd: string
  /** The client itself named the folder. */
  hasOwnCwd?: true
  /** Absolute folders that the session works in; the first is the one it began in. */
  roots: string[]
  toolName?: string
  toolInput?: unknown
  /** The target of the tool, for people: a path, a command. */
  target?: string
  touches: PathTouch[]
  /** Text for a shell, when the tool is one. */
  command?: string
  /** Paths that are named anywhere else in the call. */
  mentions?: string[]
  /** Text that an unknown tool may pass to a shell. */
  scripts?: string[]
  /** A tool of the client's own that reads files, keeps a list, asks or plans. */
  changesNothing?: true
  /** The call names more paths than are checked. */
  unread?: boolean
  /** The output of a command, if the client passes it to its hooks. */
  output?: string
  toolUseId?: string
  permissionMode?: string
  /** No person is at this client's terminal. */
  headless: boolean
  /** The client reports that a person is there. Most clients report neither. */
  attended?: true
  /**
   * True if the client uses the input that the hook returns; the plugin of an earlier setup ignores
   * it.
   */
  takesInput?: true
  /** The file in which the client records the session. */
  record?: string
  questions?: unknown
  /** What the event says of the turn. */
  turn?: TurnEvent
  /** The permissions that the client would offer from now on, in its own words. */
  suggestions?: unknown
  message?: string
  /** When it happened by the client's own clock: the same in every hook that reports it. */
  occurredAt?: string
  /** The client blocks when the hook prints nothing (`beckon hook CLIENT --fail-closed`). */
  explicitAllow?: true
}

/** The decision of the hook. */
export type Verdict =
  | { is: 'silent' }
  /** `interrupt`: ends the whole turn, if the client supports it. */
  | { is: 'deny'; reason: string; interrupt?: true }
  | { is: 'ask'; reason: string }
  /** Only from a person or a rule, through the relay; the gate never allows. */
  | { is: 'allow'; updatedInput?: unknown; updatedPermissions?: unknown }
  /** The tool runs with this input in place of its own; the client's rules still apply. */
  | { is: 'replace'; input: unknown }
  /** What a person says next: the client goes on with it (stop). */
  | { is: 'go_on'; text: string }
  /** Text for the model (session_start, after_tool). */
  | { is: 'context'; text: string }

/** A verdict in the client's format. The exit code is never 1, which clients read in different ways. */
export type Rendered = { stdout: string; stderr: string; exit: 0 | 2 }

export const SILENT: Verdict = { is: 'silent' }
export const NOTHING: Rendered = { stdout: '', stderr: '', exit: 0 }

const TOOL_MAX = 100

/** The name of the tool, cut to the room that a question has for it. */
export function toolNameOf({ toolName = 'tool' }: Pick<HookCall, 'toolName'>): string {
  return cutText(cleanLine(toolName), TOOL_MAX) || 'tool'
}
