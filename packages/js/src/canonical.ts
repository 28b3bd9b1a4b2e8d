/**
 * The JSON of a value as RFC 8785 writes it: the same bytes for the same value, in every language.
 * Throws `TypeError` for what JSON cannot say: numbers that are not finite, lone surrogates,
 * functions, big integers, circles.
 */
export function canonical(value: unknown): string {
  return written(value, new Set())
}

/** SHA-256 of the canonical JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function written(value: unknown, inside: Set<object>): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'boolean':
      return String(value)
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value)
      break
    case 'object':
      return value === null ? 'null' : nested(value, inside)
  }
  throw new TypeError(`${String(value)} has no JSON that is the same everywhere.`)
}

function nested(value: object, inside: Set<object>): string {
  if (inside.has(value)) throw new TypeError('A value that contains itself has no JSON.')
  const within = new Set(inside).add(value)
  if (Array.isArray(value)) {
    return `[${Array.from(value, (one) => written(one, within)).join(',')}]`
  }
  const made = (value as { toJSON?: unknown }).toJSON
  if (typeof made === 'function') return written(made.call(value), within)
  const members = Object.entries(value).filter(([, one]) => one !== undefined)
  // By UTF-16 code units, as `<` compares.
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, one]) => `${quoted(name)}:${written(one, within)}`).join(',')}}`
}

function quoted(text: string): string {
  if (/\p{Surrogate}/u.test(text)) {
    throw new TypeError('Text with half a surrogate pair has no JSON that is the same everywhere.')
  }
  return JSON.stringify(text)
}
