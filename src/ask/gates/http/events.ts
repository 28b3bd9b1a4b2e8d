import { utf8Text } from '../../../platform/text.ts'

/** One event of a stream as it came, and its data; without data for one that is too long to be read. */
export type ServerEvent = { bytes: Uint8Array; data: string | undefined; hasId: boolean }

// A result may have 16 MB; a longer one is passed on in pieces.
const READ_MAX = 20 * 1024 * 1024
const NEWLINE = 0x0a
const RETURN = 0x0d

/** The events of a stream, each as soon as it is whole. The bytes of all are those of the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let parts: Uint8Array[] = []
  let size = 0
  let isCut = false
  // A blank line ends an event.
  let isLineEmpty = true

  function take(): ServerEvent {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    parts = []
    size = 0
    const event = isCut ? { bytes, data: undefined, hasId: false } : readEvent(bytes)
    return event
  }

  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    let from = 0
    let at = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, at)
      const stop = end < 0 ? chunk.length : end
      const isOnlyReturn = stop - at === 0 || (stop - at === 1 && chunk[at] === RETURN)
      if (!isOnlyReturn) isLineEmpty = false
      if (end < 0) break
      at = end + 1
      if (!isLineEmpty) {
        isLineEmpty = true
        continue
      }
      parts.push(chunk.subarray(from, at))
      from = at
      yield take()
      isCut = false
    }
    if (from === chunk.length) continue
    parts.push(chunk.slice(from))
    size += chunk.length - from
    if (size <= READ_MAX) continue
    isCut = true
    yield take()
  }
  if (parts.length > 0) yield take()
}

function readEvent(bytes: Uint8Array): ServerEvent {
  const text = utf8Text(bytes)
  if (text === undefined) return { bytes, data: undefined, hasId: false }
  const lines = text.split(/\r\n|\n|\r/)
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line[5] === ' ' ? 6 : 5))
  const hasId = lines.some((line) => line.startsWith('id:') && line.length > 3)
  return { bytes, data: data.length > 0 ? data.join('\n') : undefined, hasId }
}

/** An event with another message: its id, by which a client resumes, stays. */
export function withMessage(bytes: Uint8Array, message: string): string {
  const lines = (utf8Text(bytes) ?? '').split(/\r\n|\n|\r/)
  const others = lines.filter((line) => line !== '' && !line.startsWith('data:'))
  return [
    ...others,
    ...message
      .trimEnd()
      .split('\n')
      .map((line) => `data: ${line}`),
    '',
    '',
  ].join('\n')
}

/** A message as an event. */
export function eventOf(message: string): string {
  const lines = message.trimEnd().split(/\r\n|\n|\r/)
  return `event: message\n${lines.map((line) => `data: ${line}`).join('\n')}\n\n`
}
