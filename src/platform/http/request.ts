import { Failure } from '../failure.ts'

/** Path and query of a request as they were sent; creating a `URL` costs more than some answers. */
export function requestAddress(url: string): { path: string; search: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', search: '' }
  const mark = url.indexOf('?', start)
  if (mark < 0) return { path: url.slice(start), search: '' }
  return { path: url.slice(start, mark), search: url.slice(mark + 1) }
}

/** The largest body that is read, in bytes. */
export const BODY_MAX = 1024 * 1024

// Agents, hooks and pages send far less, and that is always accepted.
const LARGE = 64 * 1024
/** The most large bodies in memory at one time: thousands that arrive slowly must not fill it. */
export const LARGE_AT_ONCE = 64
const COME_AGAIN_SECONDS = 5
let largeOnes = 0

/** Refuses at once a body whose declared length is too large. Throws `too_large`. */
export function checkLength(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_MAX) throw tooLarge()
}

// Reading, checking and storing this much takes about as long as a small call.
const CALL_BYTES = 16 * 1024

/** For how many calls a large body counts; one of unknown length counts as the largest. */
export function callsOf(request: Request): number {
  const length = request.headers.get('content-length')
  return Math.ceil((length === null ? BODY_MAX : Number(length)) / CALL_BYTES)
}

/** Throws if the sender may not send more than `LARGE` bytes. */
export type Admit = (request: Request) => unknown

/** The body as a JSON value. Throws `unsupported_media_type`, `too_large` or `malformed`. */
export async function readJson(request: Request, admit?: Admit): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new Failure(
      'unsupported_media_type',
      'The body must be JSON, sent with "Content-Type: application/json".',
    )
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new Failure('unsupported_media_type', 'The body must be sent without Content-Encoding.')
  }
  const text = await readText(request, admit)
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('malformed', 'The body is not valid JSON.')
  }
}

/** As `readJson`; an empty object if there is no body. */
export async function readOptionalJson(request: Request, admit?: Admit): Promise<unknown> {
  if (request.body === null || request.headers.get('content-length') === '0') return {}
  return readJson(request, admit)
}

/**
 * The body as UTF-8 text, at most `BODY_MAX` bytes whatever its declared length. Throws
 * `too_large`, `malformed` for one that is cut off, and `unavailable` for a large one while
 * `LARGE_AT_ONCE` others are being read. `admit` is asked before a large one takes its place, so
 * that unknown callers cannot block known ones.
 */
export async function readText(request: Request, admit: Admit = () => {}): Promise<string> {
  checkLength(request)
  try {
    return decode(await readBytes(request, admit))
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    // The caller hung up in the middle, or its body does not match its headers.
    throw new Failure('malformed', 'The body could not be read.', { cause: thrown })
  }
}

async function readBytes(request: Request, admit: Admit): Promise<ArrayBuffer | Uint8Array> {
  using place = new DisposableStack()
  const length = request.headers.get('content-length')
  if (length !== null) {
    if (Number(length) > LARGE) {
      await admit(request)
      place.use(takeLargePlace())
    }
    return await request.arrayBuffer()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    if (size <= LARGE && size + chunk.byteLength > LARGE) {
      await admit(request)
      place.use(takeLargePlace())
    }
    size += chunk.byteLength
    if (size > BODY_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function takeLargePlace(): Disposable {
  if (largeOnes >= LARGE_AT_ONCE) {
    throw new Failure(
      'unavailable',
      'Too many large bodies are on their way to this server. Try again in a few seconds, or send less than 64 KiB.',
      { retryAfter: COME_AGAIN_SECONDS },
    )
  }
  largeOnes++
  return { [Symbol.dispose]: () => void largeOnes-- }
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure('malformed', 'The body is not valid UTF-8.')
  }
}

/** The refusal for callers whose requests here never need more than `LARGE` bytes. */
export function onlySmall(): never {
  throw new Failure('too_large', 'The body is larger than 64 KiB; send less.')
}

function tooLarge(): Failure {
  return new Failure('too_large', 'The body is larger than 1 MiB; send less.')
}
