import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Check, warned } from '../../ask/health/check.ts'

const FILE = '.claude/mcp-needs-auth-cache.json'
const SIZE_MAX = 256 * 1024

/**
 * Claude Code remembers, by name, the servers that once turned it away, and then skips them
 * without a request, also after the token was corrected. Undefined when beckon is not among them.
 */
export function clientCheck(home: string = homedir()): Check | undefined {
  if (!names(join(home, FILE))) return undefined
  return warned(
    'people',
    'Claude Code',
    'Claude Code remembers that beckon asked for a sign-in, and may skip it without a word.',
    `When the token is right, remove "beckon" from ~/${FILE} and start Claude Code anew.`,
  )
}

function names(path: string): boolean {
  try {
    if (statSync(path).size > SIZE_MAX) return false
    const known: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return known !== null && typeof known === 'object' && Object.hasOwn(known, 'beckon')
  } catch {
    return false
  }
}
