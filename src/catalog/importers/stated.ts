import type { ToolFacts } from './importer.ts'
import { valueAt, type WitnessPath } from './witness-path.ts'

/** A value and its places in the documents: one, or several that it may have been made of. */
type Witnessed<T> = readonly [value: T | undefined, path: WitnessPath | readonly WitnessPath[]]

type Statements = { [K in keyof ToolFacts]?: Witnessed<ToolFacts[K]> } & {
  name: Witnessed<string>
}

/** The facts of a tool, and where each was read: the places that exist, separated by commas. */
export type Stated = { tool: ToolFacts; paths: Record<string, string> }

/**
 * The facts that `document` states, each with its places there; `others` are further documents by
 * their addresses relative to it. A value is left out if it is undefined, or if none of its places
 * exists: it has no witness.
 */
export function stated(
  document: unknown,
  fields: Statements,
  others: Readonly<Record<string, unknown>> = {},
): Stated {
  const fieldsWithValue = Object.entries(fields).flatMap(([field, [value, path]]) => {
    const places = [path].flat().filter((it) => isThere(document, others, it))
    return value === undefined || places.length === 0 ? [] : [{ field, value, places }]
  })
  return {
    tool: Object.fromEntries(
      fieldsWithValue.map(({ field, value }) => [field, value]),
    ) as ToolFacts,
    paths: Object.fromEntries(
      fieldsWithValue.map(({ field, places }) => [field, places.join(', ')]),
    ),
  }
}

function isThere(document: unknown, others: Readonly<Record<string, unknown>>, path: string) {
  const [at, other] = path.split('#').reverse()
  return valueAt(other === undefined ? document : others[other], at ?? '') !== undefined
}
