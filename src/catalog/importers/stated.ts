import type { ToolFacts } from './importer.ts'

/** A value and its place in the document, such as `info.title`; `.` is the document as a whole. */
type Witnessed<T> = readonly [value: T | undefined, path: string]

type Statements = { [K in keyof ToolFacts]?: Witnessed<ToolFacts[K]> } & {
  name: Witnessed<string>
}

/** The facts that a document states, each with its place there; what is undefined is left out. */
export function stated(fields: Statements): { tool: ToolFacts; paths: Record<string, string> } {
  const given = Object.entries(fields).filter(([, [value]]) => value !== undefined)
  return {
    tool: Object.fromEntries(given.map(([field, [value]]) => [field, value])) as ToolFacts,
    paths: Object.fromEntries(given.map(([field, [, path]]) => [field, path])),
  }
}
