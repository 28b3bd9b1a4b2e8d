import { readJsonObject } from '../../platform/json.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'

/** One request on its way to the server. */
export type Outgoing = {
  /** The server's MCP address. */
  url: string
  headers: Record<string, string>
  body: string
  /** Called with every notification before the reply. */
  listen(notification: Fields): void
  /** If no byte arrives for this long, in milliseconds, the request counts as lost. */
  silenceMs: number
  /** The longest that the whole request may take, in milliseconds. */
  leftMs: number
}

export type PostResult =
  | { is: 'reply'; message: Fields }
  /** The server does not accept the token. */
  | { is: 'unauthorized' }
  /** The answer did not come from a Beckon server. */
  | { is: 'foreign'; status: number }
  /** There was no reply, and the same request may work soon. */
  | {
      is: 'lost'
      /** The server may have it. */
      arrived: boolean
      /** A reply had begun, so the server is working on it. */
      hasBegun: boolean
      why: string
    }

/** One attempt. Throws only when `signal` aborts. */
export async function post(outgoing: Outgoing, signal: AbortSignal): Promise<PostResult> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), outgoing.silenceMs)
  const last = setTimeout(() => silence.abort(), outgoing.leftMs)
  let hasBegun = false
  try {
    const response = await fetch(outgoing.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...outgoing.headers,
      },
      body: outgoing.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    hasBegun = response.ok
    timer.refresh()
    return await readReply(response, outgoing.listen, () => timer.refresh())
  } catch (error) {
    signal.throwIfAborted()
    const why = silence.signal.aborted ? 'it does not answer' : reasonOf(error)
    return { is: 'lost', arrived: hasBegun || !NEVER_SENT.has(why), hasBegun, why }
  } finally {
    clearTimeout(timer)
    clearTimeout(last)
  }
}

// Error codes of a connection that was never made.
const NEVER_SENT = new Set(['ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'the connection broke'
}

const BROKE = 'the connection broke'

async function readReply(
  response: Response,
  listen: Outgoing['listen'],
  beat: () => void,
): Promise<PostResult> {
  const { status } = response
  if (status === 401) return { is: 'unauthorized' }
  if (isEvents(response)) return await readStream(response, listen, beat)
  const message = readJsonObject(await wholeText(response))
  if (message && isReply(message))
    return isClosing(message, status) ? closing(status) : reply(message)
  if (status >= 502 && status <= 504) return closing(status)
  return { is: 'foreign', status }
}

async function readStream(
  response: Response,
  listen: Outgoing['listen'],
  beat: () => void,
): Promise<PostResult> {
  for await (const data of readEvents(eventsIn(response.body ?? new ReadableStream(), beat))) {
    const message = readJsonObject(data)
    if (!message) return { is: 'foreign', status: response.status }
    if (isReply(message)) return isClosing(message, 200) ? closing(200) : reply(message)
    if (typeof message.method === 'string' && message.id === undefined) listen(message)
  }
  return { is: 'lost', arrived: true, hasBegun: true, why: BROKE }
}

/** Empty when it is longer than any reply of a Beckon server. */
async function wholeText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? new ReadableStream<Uint8Array>()) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > EVENT_MAX) return ''
  }
  return text + decoder.decode()
}

async function* eventsIn(stream: ReadableStream<Uint8Array>, beat: () => void) {
  for await (const chunk of stream) {
    beat()
    yield chunk
  }
}

function isEvents({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
}

function isReply({ result, error }: Fields): boolean {
  return isFields(result) || (isFields(error) && isError(error))
}

function isError({ code, message }: Fields): boolean {
  return Number.isSafeInteger(code) && typeof message === 'string'
}

/** A server that is stopping, or cannot use its storage now, asks the caller to try again. */
function isClosing({ error }: Fields, status: number): boolean {
  if (!isFields(error)) return false
  const data = isFields(error.data) ? error.data : {}
  return status === 503 || data.code === 'unavailable'
}

function closing(status: number): PostResult {
  const why = status === 200 ? 'it is shutting down' : `it answers ${status}`
  // A server answers 503 before it does anything.
  return { is: 'lost', arrived: status !== 503, hasBegun: status === 200, why }
}

/** Only the fields of a reply: anything else would look to the client like a message of its own. */
function reply({ result, error }: Fields): PostResult {
  return {
    is: 'reply',
    message: { jsonrpc: '2.0', ...(isFields(result) ? { result } : { error }) },
  }
}

/**
 * In characters. The longest result is far shorter, so a longer one does not come from a Beckon
 * server.
 */
const EVENT_MAX = 4 * 1024 * 1024

/**
 * The data of each event of a `text/event-stream` as it comes; comments are silent. Throws when an
 * event never ends.
 */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text = (text + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n')
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) break
      const data = dataOf(text.slice(0, end))
      text = text.slice(end + 2)
      if (data !== '') yield data
    }
    if (text.length > EVENT_MAX) throw new Error('an event is too long')
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n')
}
