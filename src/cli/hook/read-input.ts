// More than any tool call that a person could judge; what is beyond is not needed to decide.
const INPUT_MAX_BYTES = 5 * 1024 * 1024
// A client writes everything before it waits; whoever has not by then never will.
const INPUT_MS = 3_000

/**
 * Standard input as JSON, without a byte order mark. Ends at 5 MB and after three seconds,
 * whatever the other side does. Undefined for what is no JSON.
 */
export async function readInput(
  stream: ReadableStream<Uint8Array> = Bun.stdin.stream(),
  ms: number = INPUT_MS,
): Promise<unknown> {
  return parsed(await readText(stream, ms))
}

async function readText(stream: ReadableStream<Uint8Array>, ms: number): Promise<string> {
  const reader = stream.getReader()
  const timer = AbortSignal.timeout(ms)
  const late = new Promise<undefined>((end) =>
    timer.addEventListener('abort', () => end(undefined)),
  )
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= INPUT_MAX_BYTES) {
    const read = await Promise.race([reader.read(), late]).catch(() => undefined)
    if (read?.value === undefined) break
    chunks.push(read.value)
    size += read.value.length
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
