import { sameText } from '../../../../platform/sign.ts'

// Slack's own advice: what is older may be a recording (docs: Verifying requests from Slack).
const AGE_MAX_S = 5 * 60

/** Whether Slack sent these bytes within the last minutes, by the app's signing secret. */
export function isFromSlack(
  secret: string,
  { headers, body, now }: { headers: Headers; body: string; now: number },
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const signature = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1_000 - Number(timestamp)) > AGE_MAX_S) return false
  return sameText(signatureOf(secret, timestamp, body), signature)
}

/** What Slack puts into `X-Slack-Signature`. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  const hash = new Bun.CryptoHasher('sha256', secret)
  return `v0=${hash.update(`v0:${timestamp}:${body}`).digest('hex')}`
}
