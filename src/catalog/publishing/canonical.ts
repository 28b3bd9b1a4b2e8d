import { createHash } from 'node:crypto'

// 128 bits: nobody finds two texts with one name.
const HASH_CHARS = 32

/** A short name for `text`, the same for the same text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS)
}

/** JSON with sorted keys: the order in which an author writes them is no change. */
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
