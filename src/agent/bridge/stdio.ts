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
  let parts: Uint8Array[] = []
  let size = 0

  function keep(part: Uint8Array) {
    if (size <= max) parts.push(part)
    size += part.byteLength
    if (size > max) parts = []
  }
  function take(): Line {
    const line: Line = size > max ? { broken: 'too_long' } : decoded(parts)
    parts = []
    size = 0
    return line
  }

  for await (const chunk of stream) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end < 0) break
      keep(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    // A copy: the reader may reuse its memory.
    if (from < chunk.byteLength) keep(chunk.slice(from))
  }
  if (size > 0) yield take()
}

/** As `readLines`, of standard input, until `over`. */
export async function* readInputLines(over: AbortSignal, max: number): AsyncGenerator<Line> {
  const input = Bun.stdin.stream().getReader()
  over.addEventListener('abort', () => void input.cancel().catch(() => {}))
  for await (const line of readLines(chunks(input), max)) {
    if (over.aborted) return
    yield line
  }
}

async function* chunks(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || !value) return
    yield value
  }
}

function decoded(parts: Uint8Array[]): Line {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)) }
  } catch {
    return { broken: 'not_utf8' }
  }
}

/** Standard output, for lines that are sent without waiting for the reader. */
type Output = { write(line: string): void }

/** `onBroken` is called when the reader is gone. */
export function openOutput(onBroken: () => void): Output {
  const sink = Bun.stdout.writer()
  let isBroken = false

  function broken() {
    if (isBroken) return
    isBroken = true
    onBroken()
  }

  return {
    write(line) {
      if (isBroken) return
      try {
        // Both may fail later, when the pipe is broken.
        Promise.all([sink.write(`${line}\n`), sink.flush()]).catch(broken)
      } catch {
        broken()
      }
    },
  }
}
