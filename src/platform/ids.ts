/**
 * A branded id, so that the id of one thing cannot be used for another. Each feature declares the
 * ids of its own things; their prefix tells people and logs what an id names.
 */
export type Id<P extends string> = `${P}_${string}`

// Crockford's alphabet: it sorts bytewise like the number that it encodes, and no two characters
// are easily confused.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 9
const RANDOM_CHARS = 16

/** The part of an id after its prefix. */
export const ID_BODY = /^[0-9a-z]{25}$/

/** An id without its prefix; sorts by time, whatever it names. */
export function idBody(id: Id<string>): string {
  return id.slice(id.indexOf('_') + 1)
}

/**
 * A new id: prefix, 45 bits of milliseconds, 80 random bits. Later ids sort after earlier ones
 * (bytewise, to the millisecond), and cannot be guessed.
 */
export function newId<P extends string>(prefix: P, now: number): Id<P> {
  return `${prefix}_${timePart(now)}${randomText(RANDOM_CHARS)}`
}

// The latest time that fits into an id, in the year 3084.
const LAST_INSTANT = 2 ** 45 - 1

/** The lowest possible id of `instant`: ids made earlier sort before it. */
export function firstIdAt<P extends string>(prefix: P, instant: number): Id<P> {
  return `${prefix}_${timePart(Math.min(Math.max(0, instant), LAST_INSTANT))}`
}

/** `length` characters of 5 random bits each. */
export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  let text = ''
  for (const byte of bytes) text += ALPHABET[byte & 31]
  return text
}

function timePart(now: number): string {
  let rest = now
  let text = ''
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
