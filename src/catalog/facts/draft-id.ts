import { createHash } from 'node:crypto'

// Of a change, which the draft may become.
const ID_CHARS_MAX = 64
const HASH_CHARS = 8

/**
 * The id of a draft, the same whenever the same is drafted: small letters, digits and single
 * hyphens, at most 64. What has to be cut ends in a hash of the whole.
 */
export function draftId(...parts: string[]): string {
  const whole = parts.join(' ')
  const id = hyphened(whole)
  if (id !== '' && id.length <= ID_CHARS_MAX) return id
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_CHARS)
  return hyphened(`${id.slice(0, ID_CHARS_MAX - HASH_CHARS - 1)} ${hash}`)
}

function hyphened(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
