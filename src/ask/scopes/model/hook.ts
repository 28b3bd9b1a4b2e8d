import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import { clientTitle } from '../../wire/client-titles.ts'
import type { Contained } from '../../wire/hook-fields.ts'
import type { QuestionId } from '../../wire/ids.ts'

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
  /** The gaps of the scope on that machine, in sentences; undefined: none were reported. */
  gaps: string[] | undefined
  firstSeenAt: number
  lastSeenAt: number
  endedAt: number | undefined
  /** When it was noticed that the session continues without it; cleared by the next report. */
  missedAt: number | undefined
}

// A hook may have nothing to report between the start of a session and its first contract, so even
// after half a day of silence it counts as present.
export const SEEN_MS = 12 * 60 * 60_000

/**
 * Returns true if the hook counts as present at `now`: it reported lately, did not report its end,
 * and was not marked as missed.
 */
export function isHere({ lastSeenAt, endedAt, missedAt }: Hook, now: number): boolean {
  return endedAt === undefined && missedAt === undefined && now - lastSeenAt < SEEN_MS
}

/**
 * Returns true if the hook has reported that it holds this contract, with or without added paths.
 */
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
  none: 'shell commands are judged by their text, not contained: what a program does that they start is only noticed afterwards.',
  unknown:
    'whether shell commands are contained is not known: count only on what their text shows.',
  landlock:
    'shell commands, and what they start, are contained by Landlock alone: modes, times and owners of files outside can be changed, and names in folders off limits listed.',
  namespaces:
    'shell commands, and what they start, are contained by the kernel; MCP servers and hooks that the client starts are not.',
}

type Containing = Pick<Hook, 'client' | 'machineId' | 'contained' | 'gaps'>

/**
 * Says how the commands of a session are held while its scope holds, for each client and machine,
 * the weakest first, and what is not kept from them.
 */
export function sayContained(hooks: readonly Containing[]): string {
  const weakness = ({ contained }: Containing) => WEAKEST.indexOf(contained)
  const sorted = hooks.toSorted((one, other) => weakness(one) - weakness(other))
  const descriptions = sorted.map(({ client, machineId, contained }) => {
    const where = hooks.length > 1 && machineId !== '' ? ` on machine ${machineId}` : ''
    return `In ${clientTitle(client)}${where} ${SAID[contained ?? 'unknown']}`
  })
  return [...new Set(descriptions), ...gapsOf(hooks)].join(' ')
}

/** Lists the gaps of a scope that the hooks of a session report. */
export function gapsOf(hooks: readonly Pick<Hook, 'gaps'>[]): string[] {
  return [...new Set(hooks.flatMap(({ gaps }) => gaps ?? []))]
}
