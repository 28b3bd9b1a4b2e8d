import { utf8Text } from '../../platform/text.ts'

/** One line of a stream, or why it could not be one. */
export type Line = { text: string } | { broken: 'too_long' | 'not_utf8' }

const NEWLINE = 0x0a

/**
 * The lines of `stream`, without their line ends. Of a line over `max` bytes, at most `max` are
 * kept in memory. Text after the last newline is a line too.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  max: number,
): AsyncGenerator<Line> {
  for await (const bytes of readByteLines(stream, max))
    yield bytes === undefined ? { broken: 'too_long' } : decoded(withoutEnd(bytes))
}

/**
 * The lines of `stream` as they came, with their line ends; undefined for one over `max` bytes, of
 * which at most `max` are kept in memory.
 */
export async function* readByteLines(
  stream: AsyncIterable<Uint8Array>,
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array | undefined> {
  let parts: Uint8Array[] = []
  let size = 0

  function keep(part: Uint8Array, endBytes = 0) {
    size += part.byteLength - endBytes
    if (size > max) parts = []
    else parts.push(part)
  }
  function take(): Uint8Array | undefined {
    const [first] = parts
    const line = parts.length === 1 && first ? first : Buffer.concat(parts)
    const isTooLong = size > max
    parts = []
    size = 0
    return isTooLong ? undefined : line
  }

  for await (const chunk of stream) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end < 0) break
      keep(chunk.subarray(from, end + 1), 1)
      yield take()
      from = end + 1
    }
    // A copy: the reader may reuse its memory.
    if (from < chunk.byteLength) keep(chunk.slice(from))
  }
  if (size > 0) yield take()
}

function withoutEnd(line: Uint8Array): Uint8Array {
  return line.at(-1) === NEWLINE ? line.subarray(0, -1) : line
}

/** As `readLines`, of standard input, until `over`. */
export async function* readInputLines(over: AbortSignal, max: number): AsyncGenerator<Line> {
  for await (const line of readLines(inputChunks(over), max)) {
    if (over.aborted) return
    yield line
  }
}

/** Standard input, until `over`. */
export function inputChunks(over: AbortSignal): AsyncGenerator<Uint8Array> {
  const input = Bun.stdin.stream().getReader()
  over.addEventListener('abort', () => void input.cancel().catch(() => {}))
  return chunks(input)
}

async function* chunks(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || !value) return
    yield value
  }
}

function decoded(line: Uint8Array): Line {
  const text = utf8Text(line)
  return text === undefined ? { broken: 'not_utf8' } : { text }
}

/** Standard output, for lines that are sent without waiting for the reader. */
type Output = {
  write(line: string): void
  /** Bytes or text as they are, without a line end of ours. */
  writeAsIs(content: Uint8Array | string): void
  /** Resolves once the reader has everything, or is gone. */
  flushed(): Promise<unknown>
}

/** `onBroken` is called when the reader is gone. */
export function openOutput(onBroken: () => void): Output {
  const sink = Bun.stdout.writer()
  let isBroken = false

  function broken() {
    if (isBroken) return
    isBroken = true
    onBroken()
  }

  let last: Promise<unknown> = Promise.resolve()

  function send(content: string | Uint8Array) {
    if (isBroken) return
    try {
      // Both may fail later, when the pipe is broken.
      last = Promise.all([sink.write(content), sink.flush()]).catch(broken)
    } catch {
      broken()
    }
  }

  return { write: (line) => send(`${line}\n`), writeAsIs: send, flushed: () => last }
}
