import type { BuiltDocument } from './built-site.ts'

export const JSON_TYPE = 'application/json'

/** A JSON document of the catalog; ends with a newline, for terminals. */
export function jsonDocument(path: string, value: unknown): BuiltDocument {
  return { path, type: JSON_TYPE, body: `${JSON.stringify(value)}\n` }
}

/** An object whose last field is an array of JSON texts. */
export function withArray(fields: object, name: string, elements: readonly string[]): string {
  const head = JSON.stringify(fields).slice(0, -1)
  const comma = head.length > 1 ? ',' : ''
  return `${head}${comma}${JSON.stringify(name)}:[${elements.join(',')}]}\n`
}
