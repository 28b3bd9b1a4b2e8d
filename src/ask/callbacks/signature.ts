import { SECRET_PREFIX } from './secret.ts'

/** One attempt: what is sent, when (milliseconds), under which stable id. */
export type Signed = { id: string; at: number; body: string }

/**
 * The headers that prove where a callback comes from, in the two ways receivers know: our own
 * (QS-AUTH-3) and Standard Webhooks. With several secrets each has its signature, so that a
 * receiver with any one of them is served while they are exchanged.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: Signed,
): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000))
  return {
    'X-Service-Signature': serviceSignature(secrets, seconds, body),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standardSignature(secrets, `${id}.${seconds}.${body}`),
  }
}

/** `t=UNIX,v1=HEX`, keyed with the secret's whole text, prefix and all. */
function serviceSignature(secrets: readonly string[], seconds: string, body: string): string {
  const signed = secrets.map((secret) => {
    return `v1=${new Bun.CryptoHasher('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  })
  return [`t=${seconds}`, ...signed].join(',')
}

/** `v1,BASE64`, keyed with the bytes that the secret's base64 stands for. */
function standardSignature(secrets: readonly string[], content: string): string {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${new Bun.CryptoHasher('sha256', key).update(content).digest('base64')}`
  })
  return signed.join(' ')
}
