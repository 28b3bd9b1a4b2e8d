import { createHmac, timingSafeEqual } from 'node:crypto'

const COOKIE_PREFIX = 'beckon'
// Browsers accept such a cookie only from this exact host, so no sibling domain can set one.
const HOST_PREFIX = '__Host-'

const DAY_SECONDS = 24 * 60 * 60
/** How long a sign-in lasts after its last renewal, in seconds. */
export const SIGN_IN_SECONDS = 30 * DAY_SECONDS
/** How old a sign-in must be to be renewed, in seconds. */
export const RENEWED_AFTER_SECONDS = DAY_SECONDS

/** The prefix of the cookies of a server with this base URL. */
export function cookiePrefix(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? HOST_PREFIX + COOKIE_PREFIX : COOKIE_PREFIX
}

/**
 * Returns true if the sign-in that ends at `expiresAt` holds at `now` and need not be renewed yet.
 */
export function isFresh(expiresAt: Date, now: number): boolean {
  const renewAt = expiresAt.getTime() - (SIGN_IN_SECONDS - RENEWED_AFTER_SECONDS) * 1_000
  return now < renewAt
}

/**
 * The token in the session cookie, as better-auth signed it; undefined unless there is exactly one
 * such cookie with the right signature.
 */
export function signedToken(
  cookies: string | null,
  { prefix, secret }: { prefix: string; secret: string },
): string | undefined {
  const name = `${prefix}.session_token`
  const values = (cookies ?? '').split(';').flatMap((cookie) => {
    const at = cookie.indexOf('=')
    return cookie.slice(0, at).trim() === name ? [cookie.slice(at + 1).trim()] : []
  })
  const [value] = values
  return value !== undefined && values.length === 1 ? verified(value, secret) : undefined
}

const SIGNED = /^([\w-]+)\.([\w+/]{43}=)$/

function verified(value: string, secret: string): string | undefined {
  const [, token, signature] = SIGNED.exec(decoded(value)) ?? []
  if (token === undefined || signature === undefined) return undefined
  const right = createHmac('sha256', secret).update(token).digest()
  return timingSafeEqual(right, Buffer.from(signature, 'base64')) ? token : undefined
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
