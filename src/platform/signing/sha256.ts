// Bun's own hash: Node's module takes as long to load as everything else that a hook does.

/** SHA-256 of a text (in UTF-8) or of bytes, in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('hex')
}
