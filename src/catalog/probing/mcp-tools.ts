import { cleanLine, cleanText, cutText } from '../../platform/text.ts'
import type { Live } from '../records/live.ts'

type Tools = NonNullable<NonNullable<Live['mcpTools']>['tools']>

/** Tools that are listed of one server: more would make every listing long. */
export const TOOLS_MAX = 200
const NAME_MAX = 200
const DESCRIPTION_MAX = 300

/** The tools of one page of `tools/list`, as text that is short and without surprises. */
export function toolsIn(result: unknown): Tools {
  const list = field(result, 'tools')
  if (!Array.isArray(list)) return []
  return list.slice(0, TOOLS_MAX).flatMap((tool) => {
    const name = field(tool, 'name')
    if (typeof name !== 'string' || name.trim() === '') return []
    const said = field(tool, 'description')
    const description = typeof said === 'string' ? cleanText(cutText(said, DESCRIPTION_MAX)) : ''
    return [{ name: cleanLine(cutText(name, NAME_MAX)), ...(description ? { description } : {}) }]
  })
}

/** A field of a value that may be anything. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
