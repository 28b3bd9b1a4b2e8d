import type { CallMatch } from './call-match.ts'

/** What the rules read of a call, as the server keeps it (`call-facts.ts`). */
export type CallFacts = { [Name in keyof CallMatch]?: string | undefined }

const NAMES = ['repoKey', 'toolName', 'agentName', 'machineId'] as const

/** Returns true if the call is one that the match names. Server and hook ask the same. */
export function matchesCall(match: CallMatch, facts: CallFacts): boolean {
  for (const name of NAMES) {
    const wanted = match[name]
    if (wanted !== undefined && facts[name] !== wanted) return false
  }
  const { toolTarget } = match
  if (toolTarget === undefined) return true
  if (facts.toolTarget === undefined) return false
  if (!isPrefix(toolTarget)) return facts.toolTarget === toolTarget
  return facts.toolTarget.startsWith(toolTarget.slice(0, -1))
}

/** Returns true if a target is for everything that begins like it. */
export function isPrefix(target: string): boolean {
  return target.endsWith('*')
}
