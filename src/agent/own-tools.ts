import { AGENT_TOOLS } from '../ask/agent-tools.ts'
import type { ToolEntry } from '../ask/tools/tool-entry.ts'

const ENTRIES: ReadonlyMap<string, ToolEntry> = new Map(
  AGENT_TOOLS.flatMap((tool: ToolEntry): [string, ToolEntry][] => [
    [tool.name, tool],
    ...(tool.alias === undefined ? [] : [[tool.alias, tool] as [string, ToolEntry]]),
  ]),
)
const BEHIND_A_PREFIX = new RegExp(`(?:^|[_:/-])(${[...ENTRIES.keys()].join('|')})$`)

/** The tool of Beckon that `tools/call` names; undefined for every other name. */
export function calledTool(name: unknown): ToolEntry | undefined {
  return typeof name === 'string' ? ENTRIES.get(name) : undefined
}

/**
 * The tool of Beckon that a client's hook reports, as in `mcp__beckon__ask_user`; people give the
 * server other names, too, so a tool of another server may be called the same (`saysBeckon`).
 */
export function reportedTool(name: string): ToolEntry | undefined {
  const match = BEHIND_A_PREFIX.exec(name)
  return match ? ENTRIES.get(match[1] ?? '') : undefined
}

/** Returns true if a tool's name begins with the server name that `beckon setup` gives ours. */
export function saysBeckon(name: string): boolean {
  return /(?:^|[_:/-])beckon[_:/-]/.test(name)
}
