const SECOND_MS = 1_000

/** Seconds or an HTTP date, in milliseconds from now; undefined when it says neither. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Math.max(SECOND_MS, Number(header) * SECOND_MS)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(SECOND_MS, at - now)
}
