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
