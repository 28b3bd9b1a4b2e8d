import type webPush from 'web-push'

/** The keys of a subscription, base64url. */
export type PushKeys = { p256dh: string; auth: string }

export type PushMessage = {
  /** At most `TEXT_BYTES_MAX` bytes; never empty. */
  text: string
  keys: PushKeys
  /** The signed header for the push service. */
  authorization: string
  /** How long the service keeps the message for a device that is off, in seconds. */
  ttl: number
  urgency: webPush.Urgency
  /** Of messages that wait for a device, a newer one with the same topic replaces the older. */
  topic: string | undefined
}

/** What one record of RFC 8188 holds; `web-push` would split a longer text, which browsers refuse. */
export const TEXT_BYTES_MAX = 4_096 - 16 - 1

/**
 * Headers and encrypted body of one message (RFC 8030, 8188, 8291). Throws when the keys are not
 * valid or the text is too long. `web-push` is loaded with the first message: few processes send
 * one. It would sign each message anew, which takes as long as encrypting it; so the signature is
 * handed in.
 */
export async function pushRequest(message: PushMessage) {
  const { text, keys, authorization, ttl, urgency, topic } = message
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX) throw new Error('too long for one record')
  const { default: webPush } = await import('web-push')
  // It only looks at the address to choose a signature, and to write warnings to the console.
  const subscription = { endpoint: 'https://push.invalid', keys }
  const details = webPush.generateRequestDetails(subscription, text, {
    TTL: ttl,
    urgency,
    headers: { Authorization: authorization },
    ...(topic === undefined ? {} : { topic }),
  })
  const { TTL, 'Content-Length': _, ...headers } = details.headers
  return {
    headers: { ...headers, TTL: String(TTL) } as Record<string, string>,
    body: new Uint8Array(details.body),
  }
}
