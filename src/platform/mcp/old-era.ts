import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../log.ts'
import { RPC, refusal } from './errors.ts'
import { errorText, type Fields, type RequestId, replyText } from './message.ts'
import { createTransport, type TransportAnswer } from './transport.ts'

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
    const said = { protocolVersion, capabilities, clientInfo }
    if (!InitializeRequestSchema.safeParse({ method: 'initialize', params: said }).success) {
      return errorText(id, BAD_HANDSHAKE)
    }
    return replyOf(id, await transport.ask('initialize', said))
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
