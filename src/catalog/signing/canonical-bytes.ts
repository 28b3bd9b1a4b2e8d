import canonicalize from 'canonicalize'

/**
 * The one way to write `value` in bytes (RFC 8785), so that whoever checks a signature has what was
 * signed. Throws for what JSON cannot say: NaN, half a surrogate pair, nothing at all.
 */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('there is no JSON for this')
  return new TextEncoder().encode(text)
}
