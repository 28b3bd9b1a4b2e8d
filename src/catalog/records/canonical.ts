import { sha256 } from '../../platform/signing/sha256.ts'

// 128 bits: nobody can find two texts with the same hash.
const HASH_CHARS = 32

/** A short hash of `text`. */
export function textHash(text: string): string {
  return sha256(text).slice(0, HASH_CHARS)
}

/** JSON with sorted keys, so that another order is not a change. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, own]) => own !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, own]) => [name, sorted(own)]))
}
