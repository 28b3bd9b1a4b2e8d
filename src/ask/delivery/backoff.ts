import type { Receipt } from './receipts.ts'

// A question is worth most in its first minute; after that there is no hurry.
const FIRST_MS = 2_000
const MOST_MS = 60_000

/** How long to wait before the next attempt, in milliseconds: what the service said, or doubling. */
export function retryAfterMs(receipt: Receipt, attemptsBefore: number): number {
  const doubled = Math.min(FIRST_MS * 2 ** Math.min(attemptsBefore, 10), MOST_MS)
  if (receipt.outcome !== 'later') return doubled
  return receipt.retryAfterMs ?? doubled
}
