import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../kernel/log.ts'
import { Refused, RPC, refusal } from './errors.ts'
import { errorText, type Fields, type RequestId, replyText } from './message.ts'
import type { CallResult } from './tool.ts'
import { type Answer, createTransport } from './transport.ts'

export type ServerInfo = { name: string; title: string; version: string }

/** The era with a handshake (2025-11-25 and older), answered by the SDK. */
export type OldEra = {
  /** The reply to `initialize`, `ping` or a method that does not exist. */
  answer(id: RequestId, method: string, params: Fields): Promise<string>
  /** The reply to `tools/call`, whose work is `run`. Throws what `run` throws beside `Refused`. */
  call(id: RequestId, name: string, run: () => Promise<CallResult>): Promise<string>
  /** Requests that the SDK has not answered yet. */
  pending(): number
}

/** Work that the SDK starts; a bug is kept from it, since it would tell the caller its message. */
type Running = { run: (() => Promise<CallResult>) | undefined; bug?: { thrown: unknown } }

/** One long-lived SDK server for every caller: no session, nothing built for a request. */
export async function createOldEra(options: {
  info: ServerInfo
  instructions: string
  log: Log
}): Promise<OldEra> {
  const { info, instructions, log } = options
  const transport = createTransport<Running | undefined>()
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  server.onerror = (error) => log.warn('the MCP server could not use a message', { error })
  server.setRequestHandler(CallToolRequestSchema, (_request, { requestId }) => {
    const running = transport.contextOf(requestId)
    if (!running) throw new Error('a call without its context')
    return start(running)
  })
  await server.connect(transport)

  return {
    pending: transport.pending,
    async answer(id, method, params) {
      if (method === 'initialize') return await initialize(id, params)
      // Parameters are not passed on: the SDK drops a message whose `_meta` it cannot read.
      return replyOf(id, await transport.ask(method, undefined, undefined))
    },
    call(id, name, run) {
      const running: Running = { run }
      return transport.ask('tools/call', { name }, running).then((answer) => {
        if (running.bug) throw running.bug.thrown
        return replyOf(id, answer)
      })
    },
  }

  async function initialize(id: RequestId, params: Fields): Promise<string> {
    const { protocolVersion, capabilities, clientInfo } = params
    const said = { protocolVersion, capabilities, clientInfo }
    if (!InitializeRequestSchema.safeParse({ method: 'initialize', params: said }).success) {
      return errorText(id, BAD_HANDSHAKE)
    }
    return replyOf(id, await transport.ask('initialize', said, undefined))
  }
}

/** Starts the work and lets go of it: a call that is held does not hold its whole request. */
function start(running: Running): Promise<Fields> {
  const { run } = running
  running.run = undefined
  if (!run) throw new Error('a call was started twice')
  return run().then(
    (result) => ({ ...result }),
    (thrown) => {
      if (!(thrown instanceof Refused)) running.bug = { thrown }
      throw thrown
    },
  )
}

const BAD_HANDSHAKE = refusal(
  200,
  RPC.invalidParams,
  'initialize needs protocolVersion, capabilities and clientInfo with name and version.',
)

function replyOf(id: RequestId, answer: Answer): string {
  if ('result' in answer) return replyText(id, JSON.stringify(answer.result))
  return JSON.stringify({ jsonrpc: '2.0', id, error: answer.error })
}
