/** The JSON object in a body; undefined if it is anything else. */
export function readJsonObject(body: string | Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const value: unknown = JSON.parse(text)
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    return object ? { ...value } : undefined
  } catch {
    return undefined
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The object without its undefined fields. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}

/**
 * Returns true if an object in `text` has a member twice, of which `JSON.parse` returns only the
 * last; `value` is the parsed result.
 */
export function repeatsMembers(text: string, value: unknown): boolean {
  // Strings are matched whole, so that a quote or colon inside of one counts for nothing, and in
  // runs, as one may have millions of characters.
  const strings = text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)
  return strings.filter(([, colon]) => colon !== undefined).toArray().length !== countMembers(value)
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce((sum, one) => sum + countMembers(one), 0)
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length)
}
