import canonicalize from 'canonicalize'

/**
 * The canonical bytes of `value` (RFC 8785), so that signer and verifier have the same bytes.
 * Throws for values that JSON cannot express: NaN, half a surrogate pair, undefined.
 */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('there is no JSON for this')
  return new TextEncoder().encode(text)
}
