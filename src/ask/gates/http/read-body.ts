import { type Refusal, refusal } from '../../../platform/mcp/errors.ts'

/** The largest message that a gate passes on, in bytes: arguments may have 10 MB. */
const BODY_MAX = 16 * 1024 * 1024
// Agents send far less, and that is always taken.
const LARGE = 64 * 1024
/** The most bytes of large messages in memory at one time. */
const LARGE_TOGETHER = 128 * 1024 * 1024

let largeBytes = 0

/** The body as it came, or why it is not passed on. The gate must be able to read what the server reads. */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer> | Refusal> {
  const { headers } = request
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') return ENCODED
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers.get('content-type') ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) return NOT_UTF8
  if (Number(headers.get('content-length') ?? 0) > BODY_MAX) return TOO_LARGE
  const chunks: Uint8Array[] = []
  let size = 0
  let counted = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > BODY_MAX) return TOO_LARGE
      if (size > LARGE) {
        const more = size - counted
        if (largeBytes + more > LARGE_TOGETHER) return TOO_MANY
        counted += more
        largeBytes += more
      }
      chunks.push(chunk)
    }
    return new Uint8Array(Buffer.concat(chunks))
  } catch {
    return UNREADABLE
  } finally {
    largeBytes -= counted
  }
}

const ENCODED = refusal(
  415,
  415,
  'A gate reads what it passes on: send the message without Content-Encoding.',
)
const NOT_UTF8 = refusal(415, 415, 'A gate reads what it passes on: send the message in UTF-8.')
const TOO_LARGE = refusal(
  413,
  413,
  'The message is larger than 16 MiB, so the gate does not take it.',
)
const TOO_MANY: Refusal = {
  ...refusal(503, 503, 'Too many large messages are on their way. Try again in a few seconds.'),
  headers: { 'retry-after': '5' },
}
const UNREADABLE = refusal(400, 400, 'The message broke off.')
