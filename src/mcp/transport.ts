import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Fields } from './message.ts'

/** What the SDK answered: a result, or an error with its code. */
export type Answer =
  | { result: object }
  | { error: { code: number; message: string; data?: unknown } }

/** One transport for every caller: each request gets an id of its own, its answer comes back here. */
export type SharedTransport<T> = Transport & {
  /** Resolves to the answer; `context` can be looked up meanwhile under the id the SDK was given. */
  ask(method: string, params: Fields | undefined, context: T): Promise<Answer>
  contextOf(id: string | number): T | undefined
  /** Requests without an answer yet. */
  pending(): number
}

type Pending<T> = { context: T; settle(answer: Answer): void }

/**
 * The SDK's server keeps requests apart by their id alone, so ids from outside, which repeat
 * between callers, never reach it.
 */
export function createTransport<T>(): SharedTransport<T> {
  const pending = new Map<number, Pending<T>>()
  let lastId = 0

  const transport: SharedTransport<T> = {
    ask(method, params, context) {
      const id = ++lastId
      return new Promise((settle) => {
        pending.set(id, { context, settle })
        transport.onmessage?.({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })
      })
    },
    contextOf: (id) => pending.get(id as number)?.context,
    pending: () => pending.size,
    async start() {},
    async send(message: JSONRPCMessage) {
      // Whatever is no answer would be a request or a notification to all callers at once.
      if (!('id' in message) || !('result' in message || 'error' in message)) return
      const asked = pending.get(message.id as number)
      pending.delete(message.id as number)
      asked?.settle(message)
    },
    async close() {
      transport.onclose?.()
    },
  }
  return transport
}
