import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { PAGE_POLICY } from '../../platform/web/respond.ts'

export const HTML = 'text/html; charset=utf-8'

export const PAGE_HEADERS = {
  ...PAGE_POLICY,
  'referrer-policy': 'no-referrer',
} as const

/** Renders a page; the same page gives the same bytes. */
export function pageText(page: VNode): string {
  return `<!doctype html>${render(page)}`
}
