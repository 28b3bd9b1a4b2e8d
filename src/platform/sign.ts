/** HMAC-SHA256 of `text`, URL-safe base64. */
export function sign(secret: string, text: string): string {
  return new Bun.CryptoHasher('sha256', secret).update(text).digest('base64url')
}

/** Returns true if two texts are equal, in a time that does not reveal where they differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && crypto.timingSafeEqual(left, right)
}
