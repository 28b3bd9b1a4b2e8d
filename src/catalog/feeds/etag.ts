import { createHash, type Hash } from 'node:crypto'
import type { Coding } from './negotiate.ts'

/** Headers of what mirrors read: parts of it belong together, so all are revalidated each time. */
export const ASK_AGAIN = { 'cache-control': 'public, max-age=0, must-revalidate' }

// 128 bits: nobody can find two documents with the same hash.
const HASH_CHARS = 22

/** A short hash of these bytes. */
export function documentHash(bytes: string | Uint8Array): string {
  return shortDigest(createHash('sha256').update(bytes))
}

/** The same of what went into `hash`. */
export function shortDigest(hash: Hash): string {
  return hash.digest('base64url').slice(0, HASH_CHARS)
}

/** A strong ETag: it differs for other bytes, also for another coding (RFC 9110, 8.8.3). */
export function documentEtag(hash: string, coding: Coding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`
}

const TAG = /\s*(?:W\/)?("[^"]*")\s*(?:,|$)/y

/** True if `If-None-Match` names this ETag; compared weakly (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  TAG.lastIndex = 0
  for (let match = TAG.exec(header); match; match = TAG.exec(header)) {
    if (match[1] === etag) return true
    if (TAG.lastIndex >= header.length) break
  }
  return false
}
