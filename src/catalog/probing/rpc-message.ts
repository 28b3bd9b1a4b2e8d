import type { Timed } from './polite.ts'

type Answered = Extract<Timed, { outcome: 'answered' }>

/** A JSON-RPC message as it came, of which nothing is known yet. */
export type RpcMessage = { jsonrpc: '2.0' } & Record<string, unknown>

/** Every JSON-RPC message of an answer: the one of JSON, or those of a stream of events so far. */
export function rpcMessages({ headers, body, cut }: Answered): RpcMessage[] {
  const type = (headers.get('content-type') ?? '').toLowerCase()
  const text = new TextDecoder().decode(body)
  if (type.startsWith('text/event-stream'))
    return eventData(text, cut !== false).flatMap(messagesIn)
  return cut === false ? messagesIn(text) : []
}

export function hasRpcMessage(answer: Answered): boolean {
  return rpcMessages(answer).length > 0
}

/** The data of each whole event; what has not ended is one only when the stream has. */
function eventData(text: string, unfinished: boolean): string[] {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/)
  if (unfinished) events.pop()
  return events.flatMap((event) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5)).join('\n')]
  })
}

function messagesIn(text: string): RpcMessage[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isRpc)
  } catch {
    return []
  }
}

function isRpc(value: unknown): value is RpcMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  )
}
