import type { Touch } from '../../ask/wire/matcher/judge.ts'

/** What a coding agent tells its hooks about, in one vocabulary for all of them. */
export type HookEvent =
  | 'session_start'
  | 'prompt'
  | 'before_tool'
  | 'permission'
  | 'after_tool'
  | 'tool_failed'
  | 'notification'
  /** The client is asking its person at the terminal now; a hook's reply decides nothing. */
  | 'waiting'
  | 'stop'
  | 'session_end'
  | 'unknown'

/** A path as the tool call has it, and what would be done to it. */
/** `goes`: it is removed, with everything in it. */
export type PathTouch = { path: string; touch: Touch; goes?: true }

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
  saidCwd?: true
  /** Absolute folders that the session works in; the first is the one it began in. */
  roots: string[]
  toolName?: string
  toolInput?: unknown
  /** What the tool works on, for people: a path, a command. */
  target?: string
  touches: PathTouch[]
  /** Text for a shell, when the tool is one. */
  command?: string
  /** Paths that are named in some other place of the call. */
  mentions?: string[]
  /** Text that an unknown tool may pass to a shell. */
  scripts?: string[]
  /** The call names more than is looked at. */
  unread?: boolean
  /** What a command wrote, where the client hands it to its hooks. */
  output?: string
  toolUseId?: string
  permissionMode?: string
  /** No person is at this client's terminal. */
  headless: boolean
  /** The client reports that a person is there. Most clients report neither. */
  attended?: true
  questions?: unknown
  /** What the client would offer to allow from now on, in its own words. */
  suggestions?: unknown
  message?: string
  /** When it happened by the client's own clock: the same in every hook that is told of it. */
  occurredAt?: string
  /** The client blocks when the hook prints nothing (`beckon hook CLIENT --fail-closed`). */
  explicitAllow?: true
}

/** What the hook decided. */
export type Verdict =
  | { is: 'silent' }
  /** `interrupt`: the whole turn is over, where the client can be told. */
  | { is: 'deny'; reason: string; interrupt?: true }
  | { is: 'ask'; reason: string }
  /** Of a person or a rule, through the relay alone; the gate never allows. */
  | { is: 'allow'; updatedInput?: unknown; updatedPermissions?: unknown }
  /** Text for the model (session_start, after_tool). */
  | { is: 'context'; text: string }

/** A verdict in the client's format. The exit code is never 1, which clients read in different ways. */
export type Rendered = { stdout: string; stderr: string; exit: 0 | 2 }

export const SILENT: Verdict = { is: 'silent' }
export const NOTHING: Rendered = { stdout: '', stderr: '', exit: 0 }
