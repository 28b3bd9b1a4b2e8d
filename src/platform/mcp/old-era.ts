import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { InitializeRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../log.ts'
import { RPC, refusal } from './errors.ts'
import { errorText, type Fields, type RequestId, replyText } from './message.ts'

export type ServerInfo = { name: string; title: string; version: string }

/**
 * The SDK's answers in the era with a handshake (2025-11-25 and older). It does not handle tools: a
 * call through it costs several times its memory while it is held.
 */
export type OldEra = {
  /** The reply to `initialize`, `ping` or a method that does not exist. */
  answer(id: RequestId, method: string, params: Fields): Promise<string>
  /** Requests that the SDK has not answered yet. */
  pending(): number
}

/** One long-lived SDK server for all callers: no session, and nothing is created for a request. */
export async function createOldEra(options: {
  info: ServerInfo
  instructions: string
  log: Log
}): Promise<OldEra> {
  const { info, instructions, log } = options
  const transport = createTransport()
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  server.onerror = (error) => log.warn('the MCP server could not use a message', { error })
  await server.connect(transport)

  return {
    pending: transport.pending,
    async answer(id, method, params) {
      if (method === 'initialize') return await initialize(id, params)
      // Parameters are not passed on, because the SDK drops a message whose `_meta` it cannot read.
      return replyOf(id, await transport.ask(method))
    },
  }

  async function initialize(id: RequestId, params: Fields): Promise<string> {
    const { protocolVersion, capabilities, clientInfo } = params
    const initializeParams = { protocolVersion, capabilities, clientInfo }
    if (
      !InitializeRequestSchema.safeParse({ method: 'initialize', params: initializeParams }).success
    ) {
      return errorText(id, BAD_HANDSHAKE)
    }
    return replyOf(id, await transport.ask('initialize', initializeParams))
  }
}

const BAD_HANDSHAKE = refusal(
  200,
  RPC.invalidParams,
  'initialize needs protocolVersion, capabilities and clientInfo with name and version.',
)

function replyOf(id: RequestId, answer: TransportAnswer): string {
  if ('result' in answer) return replyText(id, JSON.stringify(answer.result))
  return JSON.stringify({ jsonrpc: '2.0', id, error: answer.error })
}

/** The SDK's answer: a result, or an error with its code. */
type TransportAnswer =
  | { result: object }
  | { error: { code: number; message: string; data?: unknown } }

/** One transport for every caller: each request gets its own id, by which its answer is matched. */
type SharedTransport = Transport & {
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
