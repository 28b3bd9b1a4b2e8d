import type { QuestionId, TokenId, WorkspaceId } from '../../../platform/ids.ts'

/**
 * How commands are contained while a scope holds: by mount namespaces and Landlock, by Landlock
 * alone, or not at all.
 */
export const CONTAINED = ['namespaces', 'landlock', 'none'] as const
export type Contained = (typeof CONTAINED)[number]

/** The hook of a session on one machine, as last reported. */
export type Hook = {
  workspaceId: WorkspaceId
  sessionId: string
  /** Empty if it named none. */
  machineId: string
  /** The client that runs it: claude, codex, … */
  client: string
  /** The token that it reports with. */
  tokenId: TokenId | undefined
  clientVersion: string | undefined
  hookVersion: string | undefined
  /** The contract that it reported. */
  contractEtag: string | undefined
  /** Undefined when it did not say. */
  contained: Contained | undefined
  /** Some paths of the repository, for examples. */
  examplePaths: string[]
  /** What the scope cannot keep from the agent on that machine, in sentences; null: nothing said. */
  gaps: string[] | null
  firstSeenAt: number
  lastSeenAt: number
  endedAt: number | undefined
  /** When it was noticed that the session continues without it; cleared by the next report. */
  missedAt: number | undefined
}

export const EXAMPLE_PATHS_MAX = 200
export const GAPS_MAX = 5
export const GAP_MAX = 400

// A hook may have nothing to report between the start of a session and its first contract, so even
// after half a day of silence it counts as present.
export const SEEN_MS = 12 * 60 * 60_000

/**
 * Whether the hook counts as present at `now`: it reported lately, did not report its end, and was
 * not marked as missed.
 */
export function isHere({ lastSeenAt, endedAt, missedAt }: Hook, now: number): boolean {
  return endedAt === undefined && missedAt === undefined && now - lastSeenAt < SEEN_MS
}

/** Whether the hook has reported that it holds this contract, with or without added paths. */
export function holdsContract(
  { contractEtag }: Pick<Hook, 'contractEtag'>,
  questionId: QuestionId,
): boolean {
  return contractEtag?.split('.')[0] === questionId
}

/**
 * The hook of a session that continued without it: the one that reported last; undefined if one is
 * present.
 */
export function silentHook(hooks: readonly Hook[], now: number): Hook | undefined {
  if (hooks.some((hook) => isHere(hook, now))) return undefined
  const [latest] = hooks.filter(({ endedAt }) => endedAt === undefined)
  return latest?.missedAt === undefined ? undefined : latest
}

// The weakest first: a scope is only as strong as on the weakest machine.
const WEAKEST: ReadonlyArray<Contained | undefined> = ['none', undefined, 'landlock', 'namespaces']

const SAID: Readonly<Record<Contained | 'unknown', string>> = {
  none: 'Commands are not contained here: only file paths that a hook can read are checked, not what a started program does.',
  unknown:
    'The hook does not say that commands are contained: count only on the file paths that a hook can read, not on what a started program does.',
  landlock:
    'Shell commands, and what they start, are contained by Landlock alone: modes, times and owners of files outside can be changed, and names in folders off limits listed.',
  namespaces:
    'Shell commands, and what they start, are contained by the kernel; MCP servers and hooks that the client starts are not.',
}

/**
 * How far the commands of a session are contained while its scope holds, and what is not kept from
 * them.
 */
export function sayContained(hooks: readonly Pick<Hook, 'contained' | 'gaps'>[]): string {
  const reported = new Set(hooks.map(({ contained }) => contained))
  const said = SAID[WEAKEST.find((one) => reported.has(one)) ?? 'unknown']
  return [said, ...gapsOf(hooks)].join(' ')
}

/** What the hooks of a session say that its scope cannot keep from the agent. */
export function gapsOf(hooks: readonly Pick<Hook, 'gaps'>[]): string[] {
  return [...new Set(hooks.flatMap(({ gaps }) => gaps ?? []))]
}
