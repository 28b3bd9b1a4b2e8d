import {
  definitionOf,
  fingerprintOf,
  type ToolDefinition,
} from '../../../platform/mcp/tool-fingerprint.ts'
import { cleanLine, cleanText, cutText } from '../../../platform/text.ts'
import { memberOf } from './mcp-request.ts'
import type { HashedTool } from './tool-list.ts'

const NAME_MAX = 200
const DESCRIPTION_MAX = 300
// A list has at most 10 MiB; this much of each tool is stored.
const DEFINITION_MAX = 32 * 1024

/** The tools with their hashes; of two of one name the first. Those nested too deeply are left out. */
export function hashTools(url: string, tools: readonly ToolDefinition[]): HashedTool[] {
  const byName = new Map<string, HashedTool>()
  for (const tool of tools) {
    const name = listedName(tool)
    if (byName.has(name)) continue
    try {
      const definition = definitionOf(tool)
      const isLarge = JSON.stringify(definition).length > DEFINITION_MAX
      const hash = fingerprintOf(url, definition)
      byName.set(name, { name, hash, definition: isLarge ? null : definition })
    } catch {}
  }
  return [...byName.values()]
}

/** A tool as the record lists it, cut and cleaned. */
export function listedTool(tool: ToolDefinition, hashes: ReadonlyMap<string, string>) {
  const { description: text } = tool
  const name = listedName(tool)
  const description = typeof text === 'string' ? cleanText(cutText(text, DESCRIPTION_MAX)) : ''
  const hash = hashes.get(name)
  const words = description ? { description } : {}
  return { name, ...words, ...(hash ? { hash } : {}), ...judgedBy(tool) }
}

/** What checks look at, instead of the whole tool. */
function judgedBy(tool: ToolDefinition) {
  const says = (hint: string) => typeof memberOf(tool.annotations, hint) === 'boolean'
  const parameters = Object.values(Object(memberOf(tool.inputSchema, 'properties')))
  return {
    letters: JSON.stringify(tool).length,
    described: [tool, ...parameters].every(hasDescription),
    annotated: says('readOnlyHint') || says('destructiveHint'),
  }
}

function hasDescription(value: unknown): boolean {
  const text = memberOf(value, 'description')
  return typeof text === 'string' && text.trim() !== ''
}

function listedName({ name }: ToolDefinition): string {
  return cleanLine(cutText(name, NAME_MAX))
}
