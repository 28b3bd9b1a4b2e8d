import { type Message, readMessages } from '../../gate-calls/message.ts'
import { readEvents, withMessage } from './events.ts'
import { isEvents } from './headers.ts'
import type { ReplyBody } from './reply-body.ts'

// A longer answer is passed on without being read.
const READ_MAX = 20 * 1024 * 1024

/** What is done with the messages of an answer. */
export type Reader = {
  read(message: Message): void
  /** True for an answer that is not for the client: it was taken. */
  take?(message: Message): boolean
  /** The message for the client, if not as it is. */
  changed?(message: Message): string | undefined
}

/**
 * Passes the body of an answer on as it comes, and shows its messages to `reader`. Resolves to true if
 * the rest of a stream may come over another one. Throws if the body breaks off.
 */
export async function relay(response: Response, to: ReplyBody, reader: Reader): Promise<boolean> {
  if (!response.body) return false
  if (isEvents(response.headers)) return await relayEvents(response.body, to, reader)
  await relayBody(response.body, to, reader, (chunk) => chunk)
  return false
}

/** As `relay`, into a stream of events that has begun. */
export async function relayIntoEvents(
  response: Response,
  to: ReplyBody,
  reader: Reader,
): Promise<boolean> {
  if (!response.body) return false
  if (isEvents(response.headers)) return await relayEvents(response.body, to, reader)
  to.write('event: message\ndata: ')
  await relayBody(response.body, to, reader, asData)
  to.write('\n\n')
  return false
}

/** A line end in data begins another line of it. */
function asData(chunk: Uint8Array): Uint8Array {
  if (!chunk.includes(0x0a)) return chunk
  const text = Buffer.from(chunk).toString('latin1')
  return Buffer.from(text.replaceAll('\n', '\ndata: '), 'latin1')
}

async function relayBody(
  body: ReadableStream<Uint8Array>,
  to: ReplyBody,
  reader: Reader,
  shape: (chunk: Uint8Array) => Uint8Array,
): Promise<void> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size <= READ_MAX) chunks.push(chunk.slice())
    to.write(shape(chunk))
    await to.ready()
  }
  if (size <= READ_MAX) readAll(Buffer.concat(chunks), reader)
}

async function relayEvents(
  stream: ReadableStream<Uint8Array>,
  to: ReplyBody,
  reader: Reader,
): Promise<boolean> {
  let canResume = false
  for await (const { bytes, data, hasId } of readEvents(stream)) {
    canResume ||= hasId
    const messages = data === undefined ? [] : messagesIn(Buffer.from(data))
    const [first] = messages
    const single = messages.length === 1 ? first : undefined
    if (single && reader.take?.(single)) continue
    const text = single && reader.changed?.(single)
    to.write(text === undefined ? bytes : withMessage(bytes, text))
    for (const message of messages) reader.read(message)
    await to.ready()
  }
  return canResume
}

/** The message that is the whole body; undefined for events, and for a body that is too long to be read. */
export async function wholeMessage(response: Response): Promise<Message | undefined> {
  if (isEvents(response.headers) || !response.body) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  // The body itself stays to be passed on.
  for await (const chunk of response.clone().body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > READ_MAX) return undefined
    chunks.push(chunk)
  }
  const messages = messagesIn(Buffer.concat(chunks))
  return messages.length === 1 ? messages[0] : undefined
}

function readAll(bytes: Uint8Array, reader: Reader): void {
  for (const message of messagesIn(bytes)) reader.read(message)
}

function messagesIn(bytes: Uint8Array): Message[] {
  const reading = readMessages(bytes)
  if (reading.is === 'other') return []
  return reading.is === 'one' ? [reading.message] : reading.messages
}
