import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Fields } from './message.ts'

/** The SDK's answer: a result, or an error with its code. */
export type TransportAnswer =
  | { result: object }
  | { error: { code: number; message: string; data?: unknown } }

/** One transport for every caller: each request gets its own id, by which its answer is matched. */
export type SharedTransport = Transport & {
  ask(method: string, params?: Fields): Promise<TransportAnswer>
  /** Requests without an answer yet. */
  pending(): number
}

/**
 * The SDK's server distinguishes requests by their id alone. Ids from outside, which repeat between
 * callers, must never reach it.
 */
export function createTransport(): SharedTransport {
  const pending = new Map<number, (answer: TransportAnswer) => void>()
  let lastId = 0

  const transport: SharedTransport = {
    ask(method, params) {
      const id = ++lastId
      return new Promise((settle) => {
        pending.set(id, settle)
        transport.onmessage?.({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })
      })
    },
    pending: () => pending.size,
    async start() {},
    async send(message: JSONRPCMessage) {
      // Anything but an answer would be a request or a notification to all callers at once.
      if (!('id' in message) || !('result' in message || 'error' in message)) return
      const settle = pending.get(message.id as number)
      pending.delete(message.id as number)
      settle?.(message)
    },
    async close() {
      transport.onclose?.()
    },
  }
  return transport
}
