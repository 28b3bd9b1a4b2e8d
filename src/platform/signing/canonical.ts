import canonicalize from 'canonicalize'

/**
 * The canonical JSON of `value` (RFC 8785), so that signer and verifier have the same text.
 * Throws for values that JSON cannot express: NaN, half a surrogate pair, undefined.
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('there is no JSON for this')
  return text
}

/** `canonicalText` in UTF-8. */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalText(value))
}
