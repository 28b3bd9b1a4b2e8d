import { type Static, Type } from '@sinclair/typebox'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { closed } from '../records/words.ts'
import type { UsableTool, UsedTool } from './match-uses.ts'

export const LOCK_FILE = 'beckon.lock'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** `beckon.lock`: the tool lists of the MCP servers that a repository uses, when somebody looked. */
export const Lock = closed({
  version: Type.Literal(1),
  servers: Type.Record(
    Type.String({ maxLength: 64 }),
    closed({ hash, tools: Type.Record(Type.String({ maxLength: 200 }), hash) }),
  ),
})
export type Lock = Static<typeof Lock>

/** The lock of the servers in use whose lists were read, each tool by its hash. */
export function lockOf(matches: readonly UsedTool[]): Lock {
  const servers = new Map(
    matches.flatMap(({ tool }) => {
      const tools = toolHashes(tool)
      return tools ? [[tool.slug, { hash: sha256(canonicalText(tools)), tools }] as const] : []
    }),
  )
  return {
    version: 1,
    servers: Object.fromEntries([...servers].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Undefined if the whole list is not known. */
function toolHashes({ live }: UsableTool): Record<string, string> | undefined {
  const { tools, count } = live.mcpTools ?? {}
  if (!tools || count !== tools.length) return undefined
  const pairs = tools.flatMap(({ name, hash: own }) => (own ? [[name, own] as const] : []))
  if (pairs.length !== tools.length) return undefined
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What differs between two lists of tools, in words; undefined if nothing does. */
export function lockDifference(lock: Lock, now: Lock, slug: string): string | undefined {
  const [before, after] = [lock.servers[slug], now.servers[slug]]
  if (!before || !after || before.hash === after.hash) return undefined
  const names = [...new Set([...Object.keys(before.tools), ...Object.keys(after.tools)])].sort()
  const changes = names.flatMap((name) => {
    const [old, current] = [before.tools[name], after.tools[name]]
    if (old === current) return []
    return [`${name} ${old === undefined ? 'came' : current === undefined ? 'went' : 'changed'}`]
  })
  return changes.join(', ')
}
