import { WINDOW_MS } from '../../ask/wire/limits.ts'
import { WrongUsage } from '../../platform/config/wrong-usage.ts'

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const
const LEAST_MS = 1_000

/** `50s`, `2m` or `1500ms` in milliseconds. Throws `WrongUsage`. */
export function readTimeout(text: string): number {
  const [, digits, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? []
  const ms = Math.round(Number(digits) * UNITS[(unit ?? 'ms') as keyof typeof UNITS])
  // A question lives ten minutes: nobody can wait longer for it.
  if (ms >= LEAST_MS && ms <= WINDOW_MS) return ms
  throw new WrongUsage('--timeout must be a time from 1s to 10m, like 50s, 2m or 1500ms.')
}
