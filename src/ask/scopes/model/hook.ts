import type { TokenId, WorkspaceId } from '../../../platform/ids.ts'

/** The hook of a session on one machine, as it reported last. */
export type Hook = {
  workspaceId: WorkspaceId
  sessionId: string
  /** Empty when it named none. */
  machineId: string
  /** The client that runs it: claude, codex, … */
  client: string
  /** The token that it reports with. */
  tokenId: TokenId | undefined
  clientVersion: string | undefined
  hookVersion: string | undefined
  /** The contract that it told it holds. */
  contractEtag: string | undefined
  /** Some paths of the repository, for examples. */
  examplePaths: string[]
  firstSeenAt: number
  lastSeenAt: number
  endedAt: number | undefined
  /** When it was noticed that the session goes on without it; the next report takes that back. */
  missedAt: number | undefined
}

export const EXAMPLE_PATHS_MAX = 200

// A hook may have nothing to say between the start of a session and its first contract, so that
// half a day of silence still means that it is there.
export const SEEN_MS = 12 * 60 * 60_000

/** Whether the hook can be counted on at `now`: it reported lately, not that it ended, and nobody missed it. */
export function isHere({ lastSeenAt, endedAt, missedAt }: Hook, now: number): boolean {
  return endedAt === undefined && missedAt === undefined && now - lastSeenAt < SEEN_MS
}

/** The hook of a session that went on without it: the one heard from last; undefined when one is there. */
export function silentHook(hooks: readonly Hook[], now: number): Hook | undefined {
  if (hooks.some((hook) => isHere(hook, now))) return undefined
  const [latest] = hooks.filter(({ endedAt }) => endedAt === undefined)
  return latest?.missedAt === undefined ? undefined : latest
}
