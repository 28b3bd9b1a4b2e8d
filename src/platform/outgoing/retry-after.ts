const SECOND_MS = 1_000
// Longer than any wait; beyond this it makes no difference what a service asks for.
const MOST_MS = 365 * 24 * 3_600_000
// The only form that may be sent (RFC 9110, IMF-fixdate); `Date.parse` alone reads "-5" as a year.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds or an HTTP date, in milliseconds from now; undefined for anything else. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return between(Number(text) * SECOND_MS)
  return HTTP_DATE.test(text) ? between(Date.parse(text) - now) : undefined
}

function between(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(SECOND_MS, ms), MOST_MS)
}
