import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientTrouble } from '../client.ts'

const FILE = '.claude/mcp-needs-auth-cache.json'
const SIZE_MAX = 256 * 1024

/**
 * Claude Code remembers, by name, the servers that once refused it, and skips them without a
 * request, even after the token was corrected. Undefined when beckon is not among them.
 */
export function findSkippedServer(home: string): ClientTrouble | undefined {
  if (!isNamed(join(home, FILE))) return undefined
  return {
    said: 'Claude Code remembers that beckon asked for a sign-in, and may skip it without a word.',
    cure: `When the token is right, remove "beckon" from ~/${FILE} and restart Claude Code.`,
  }
}

function isNamed(path: string): boolean {
  try {
    if (statSync(path).size > SIZE_MAX) return false
    const servers: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return servers !== null && typeof servers === 'object' && Object.hasOwn(servers, 'beckon')
  } catch {
    return false
  }
}
