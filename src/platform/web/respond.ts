import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import type { Failure } from '../failure.ts'
import { PAGE_POLICY } from './content-policy.ts'

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
