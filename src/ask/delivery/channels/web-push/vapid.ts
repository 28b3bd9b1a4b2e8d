import type { Clock } from '../../../../platform/clock.ts'

export type VapidKeys = { publicKey: string; privateKey: string }

/** The contact for this server's pushes that push services get (RFC 8292, `sub`). */
export type VapidSubject = {
  subject: string
  /** False for a contact that cannot be reached from outside. */
  reachable: boolean
}

const UNREACHABLE = /(^|\.)(localhost|local|localdomain|internal|invalid|test)$|^[^.]*$/

/**
 * The configured subject, otherwise the base URL if it is https and has a public name. Otherwise a
 * mailto address at the server's own name: Google and Mozilla accept it, but Apple answers 403 to
 * it, so that nothing is sent to Apple until `BECKON_VAPID_SUBJECT` is set (and the start raises an
 * alarm). An invented reachable address would mislead the operator of the push service.
 */
export function vapidSubject(configured: string | undefined, baseUrl: string): VapidSubject {
  if (configured) return { subject: configured, reachable: true }
  const { protocol, hostname, origin } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'https:' && !UNREACHABLE.test(host)) return { subject: origin, reachable: true }
  return { subject: `mailto:beckon@${host}`, reachable: false }
}

/** Shown until a reachable subject is set. */
export const SUBJECT_ALARM =
  'iPhones, iPads and Safari cannot be reached yet: Apple takes pushes only from servers that name a contact. Set BECKON_VAPID_SUBJECT to a mailto: or https: address of yours, or run Beckon under a public https address.'

/** The same for the log, on one line of a terminal. */
export const SUBJECT_HINT = 'No pushes to iPhones: set BECKON_VAPID_SUBJECT or use https.'

export function isApple(origin: string): boolean {
  return /(^|\.)push\.apple\.com$/.test(URL.parse(origin)?.hostname ?? '')
}

// Services accept up to 24 h; half of that stays valid on a clock that is a little off.
const LIFE_S = 12 * 60 * 60
const RENEW_BEFORE_S = 60 * 60

/**
 * The `Authorization` header for a push service. Signing costs more than encrypting a message, so
 * one signature serves every message to the same service for hours.
 */
export function createVapid(keys: VapidKeys, subject: string, clock: Clock) {
  const byOrigin = new Map<string, { header: string; renewAt: number }>()

  return async (origin: string): Promise<string> => {
    const now = Math.floor(clock.now() / 1000)
    const known = byOrigin.get(origin)
    if (known && now < known.renewAt) return known.header
    const { default: webPush } = await import('web-push')
    const { publicKey, privateKey } = keys
    const expires = now + LIFE_S
    const { Authorization: header } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      expires,
    )
    byOrigin.set(origin, { header, renewAt: expires - RENEW_BEFORE_S })
    return header
  }
}
