import { copyOf } from './copy.ts'

/**
 * The JSON of a value as RFC 8785 writes it: the same bytes for the same value, in every language.
 * Throws `TypeError` for what JSON cannot say: see `copyOf`.
 */
export function canonical(value: unknown): string {
  return written(copyOf(value))
}

/** SHA-256 of the canonical JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function written(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  // By UTF-16 code units, as `<` compares.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${written(one)}`).join(',')}}`
}
