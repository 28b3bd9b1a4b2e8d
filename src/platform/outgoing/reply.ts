/** Why a body is not complete. */
export type Cut = false | 'long' | 'broken'

/**
 * The encoding that requests accept; Bun itself would accept more, and unpack whole pieces at once.
 */
export const TAKEN_CODING = 'gzip'

/**
 * Hands at most `most` bytes of the body to `to`, unpacked; returns why it is not complete. An
 * encoding that was not requested counts as broken. With `packed` the body stays in its encoding.
 * Throws if the connection breaks off.
 */
export async function readReply(
  { body, headers }: Response,
  {
    most,
    to,
    packed = false,
  }: { most: number; to(piece: Uint8Array): void | Promise<void>; packed?: boolean },
): Promise<Cut> {
  if (!body || headers.get('content-length') === '0') return false
  const plain = packed ? body : unpacked(body, headers.get('content-encoding') ?? '')
  if (!plain) {
    await body.cancel()
    return 'broken'
  }
  let size = 0
  for await (const chunk of plain as unknown as AsyncIterable<Uint8Array>) {
    if (size < most) await to(chunk.subarray(0, most - size))
    size += chunk.length
    // Leaving the loop cancels the stream, and with it the connection.
    if (size > most) return 'long'
  }
  return false
}

/** A stream that unpacks no more than is read from it: a few kilobytes may become gigabytes. */
function unpacked(body: ReadableStream<Uint8Array>, coding: string) {
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  if (name !== TAKEN_CODING && name !== `x-${TAKEN_CODING}`) return undefined
  const unpacking = new DecompressionStream(TAKEN_CODING)
  return body.pipeThrough(unpacking as unknown as ReadableWritablePair<Uint8Array, Uint8Array>)
}

const HEADERS_BYTES_MAX = 64 * 1024

/**
 * Returns true if the headers are longer than any honest server's: they are stored and searched, so
 * that their length matters.
 */
export function hasHugeHeaders({ headers }: Response): boolean {
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length
  return size > HEADERS_BYTES_MAX
}

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
