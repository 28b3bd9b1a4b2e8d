/** HMAC-SHA256 of `text` in UTF-8; in URL-safe base64 unless another encoding is named. */
export function hmac(
  key: string | Buffer,
  text: string,
  encoding: 'base64url' | 'base64' | 'hex' = 'base64url',
): string {
  return new Bun.CryptoHasher('sha256', key).update(text).digest(encoding)
}

/** Whether two texts are equal, in a time that does not reveal where they differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && crypto.timingSafeEqual(left, right)
}
