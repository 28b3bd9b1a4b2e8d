import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import type { Failure } from '../failure.ts'

/**
 * For every page of both products: only our own files are run or shown, whatever the page contains.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
].join('; ')

// Browser features that our pages do not use, so that an injected script cannot use them either.
const NEVER_ASKED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/** The policy of every page: nothing foreign runs in it, embeds it, or asks for devices. */
export const PAGE_POLICY = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': NEVER_ASKED.map((name) => `${name}=()`).join(', '),
} as const

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  ...PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  // Pages show one person's work, so neither a proxy nor the back button of a shared machine may
  // keep them.
  'cache-control': 'no-store',
}

/** A rendered page. */
export function html(page: VNode, status = 200): Response {
  return new Response(`<!doctype html>${render(page)}`, { status, headers: PAGE_HEADERS })
}

/** Adds the header that tells programs when to try again. */
export function untilLater(response: Response, { retryAfter }: Failure): Response {
  if (retryAfter !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfter)))
  return response
}

/** After a form: redirects to `path` with GET, so that a reload sends nothing twice. */
export function seeOther(path: string, headers: Headers = new Headers()): Response {
  const all = new Headers(headers)
  all.set('location', path)
  all.set('cache-control', 'no-store')
  return new Response(null, { status: 303, headers: all })
}
