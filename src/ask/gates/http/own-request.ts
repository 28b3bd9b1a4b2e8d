import { type Fields, isFields } from '../../../platform/mcp/message.ts'
import type { Reader } from './relay.ts'
import { relay } from './relay.ts'
import { ReplyBody } from './reply-body.ts'
import type { UpstreamReply } from './upstream-client.ts'

/** The headers of a request of the gate itself, in the session of the client that sent `last`. */
export function ownHeaders(last: Headers, method: string): Headers {
  const headers = new Headers(last)
  for (const name of ['last-event-id', 'mcp-name']) headers.delete(name)
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  if (headers.has('mcp-method')) headers.set('mcp-method', method)
  return headers
}

/** The result in the reply to request `id`; undefined without one. Never throws. */
export async function resultIn(reply: UpstreamReply, id: string): Promise<Fields | undefined> {
  if (reply.is !== 'reply') return undefined
  const { promise, resolve } = Promise.withResolvers<Fields | undefined>()
  const body = new ReplyBody(() => {})
  const reader: Reader = {
    read(message) {
      if (message.id === id && message.method === undefined)
        resolve(isFields(message.result) ? message.result : undefined)
    },
  }
  // Nobody takes it: it is only read.
  await body.stream.cancel()
  relay(reply.response, body, reader).then(
    () => resolve(undefined),
    () => resolve(undefined),
  )
  return await promise
}
