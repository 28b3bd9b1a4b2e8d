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

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The object without its undefined fields. */
export function omitUndefined<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<T>
}
