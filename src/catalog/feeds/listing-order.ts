import type { ToolDetail } from '../record/tool.ts'

/** Bytewise, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Score descending, without score last, then by slug (design: Feeds). */
export function listingOrder(a: ToolDetail, b: ToolDetail): number {
  const [one, other] = [a.catalog.score, b.catalog.score]
  if (one !== other) {
    if (one === null) return 1
    if (other === null) return -1
    return other - one
  }
  return byText(a.slug, b.slug)
}
