const SECOND_MS = 1_000
// Longer than anything is waited for; whatever more a service asks for comes to the same.
const MOST_MS = 365 * 24 * 3_600_000
// The one form that may be sent (RFC 9110, IMF-fixdate); `Date.parse` alone takes "-5" for a year.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds or an HTTP date, in milliseconds from now; undefined when it says neither. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return between(Number(text) * SECOND_MS)
  return HTTP_DATE.test(text) ? between(Date.parse(text) - now) : undefined
}

function between(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(SECOND_MS, ms), MOST_MS)
}
