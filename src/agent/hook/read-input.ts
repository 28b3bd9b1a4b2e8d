/** Standard input: `cut` if there was more than is read, or if its end is missing. */
export type Input = { value: unknown; cut: boolean }

// More than any tool call that a person could judge.
const INPUT_MAX_BYTES = 5 * 1024 * 1024
// A client writes everything before it waits; one that has not written by now never will.
const INPUT_MS = 2_000

/**
 * Standard input as JSON, without a byte order mark. Anything beyond 5 MB is read and dropped, so
 * that the client is not interrupted while it writes; after two seconds the input so far is used.
 * The value is undefined if it is not JSON.
 */
export async function readInput(
  stream: ReadableStream<Uint8Array> = Bun.stdin.stream(),
  ms: number = INPUT_MS,
): Promise<Input> {
  const { bytes, over } = await readBytes(stream, ms)
  const text = new TextDecoder('utf-8').decode(bytes)
  try {
    return { value: JSON.parse(text), cut: over }
  } catch {
    return { value: readPartialJson(text), cut: true }
  }
}

async function readBytes(
  stream: ReadableStream<Uint8Array>,
  ms: number,
): Promise<{ bytes: Uint8Array; over: boolean }> {
  const reader = stream.getReader()
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const read = await Promise.race([reader.read(), late]).catch(() => undefined)
    if (read?.value === undefined) break
    if (size < INPUT_MAX_BYTES) chunks.push(read.value.subarray(0, INPUT_MAX_BYTES - size))
    size += read.value.length
  }
  clearTimeout(timer)
  return { bytes: Buffer.concat(chunks), over: size > INPUT_MAX_BYTES }
}

/**
 * The value of a JSON text that was cut off: everything complete in it, without the text or number
 * at the cut. Undefined if nothing can be saved.
 */
export function readPartialJson(text: string): unknown {
  const open: string[] = []
  let inText = false
  let whole = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inText) {
      if (char === '\\') at++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      whole = at + 1
    } else if (char === '}' || char === ']') {
      open.pop()
      whole = at + 1
    } else if (char === ',') whole = at
  }
  try {
    return JSON.parse(text.slice(0, whole) + open.reverse().join(''))
  } catch {
    return undefined
  }
}
