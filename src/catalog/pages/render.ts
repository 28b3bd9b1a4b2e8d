import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'

export const HTML = 'text/html; charset=utf-8'

/** Nothing but our own files runs or is shown, whatever a record says. */
export const PAGE_HEADERS = {
  'content-security-policy': [
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
  ].join('; '),
  'referrer-policy': 'no-referrer',
} as const

/** A page as text: the same page, the same bytes. */
export function pageText(page: VNode): string {
  return `<!doctype html>${render(page)}`
}
