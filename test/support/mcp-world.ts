import { createHeldTokens } from '../../src/ask/accounts/model/agents.ts'
import { createClientNames } from '../../src/ask/accounts/model/client-names.ts'
import { questionTasks } from '../../src/ask/asking/tasks.ts'
import { createMcp, MCP_PATH, type Mcp, toolsRunBy } from '../../src/ask/mcp/route.ts'
import { Failure } from '../../src/platform/failure.ts'
import { createLimits } from '../../src/platform/http/limits.ts'
import { createLog } from '../../src/platform/log.ts'
import { mcpRoute } from '../../src/platform/mcp/http-handler.ts'
import { type FlowWorld, flowWorld } from './flow-world.ts'
import { startServer } from './start-server.ts'

export const TOKEN = 'bk_right'
export const MODERN = '2026-07-28'

type Json = Record<string, unknown>
type Reply = { status: number; headers: Headers; text: string; json: Json }

/** The MCP face over the real flows, on a real port, with a clock that the test moves. */
export type McpWorld = AsyncDisposable & {
  world: FlowWorld
  mcp: Mcp
  url: string
  /** Lines of the log. */
  logged: string[]
  /** One POST, with the token unless `headers` say otherwise; strings are sent as they are. */
  sender(body: unknown, headers?: Record<string, string>, path?: string): Promise<Response>
  reply(body: unknown, headers?: Record<string, string>, path?: string): Promise<Reply>
}

/**
 * `changes` takes the place of what tools do, by their names; `refuseAll` is what every token is
 * answered with.
 */
export async function mcpWorld(
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the input of the tool it replaces
  changes: Record<string, (input: any) => Promise<object>> = {},
  refuseAll?: Error,
): Promise<McpWorld> {
  const world = await flowWorld()
  const { deps, clock } = world
  const logged: string[] = []
  const log = createLog({
    format: 'json',
    level: 'warn',
    write: (line) => logged.push(line),
    clock,
  })
  const held = createHeldTokens(deps)
  const clientNames = createClientNames(deps)
  const mcp = createMcp({
    tools: await toolsRunBy((tool, name, input, call) =>
      changes[name] ? changes[name](input) : tool.run(deps, input, call),
    ),
    async agentFrom(request) {
      if (refuseAll) throw refuseAll
      if (request.headers.get('authorization') !== `Bearer ${TOKEN}`) {
        throw new Failure('unauthenticated', 'A token is needed.')
      }
      const { tokenId, tokenName, workspaceId, test } = world.call().caller
      return { tokenId, tokenName, workspaceId, test }
    },
    tasks: questionTasks(deps),
    held,
    clientNames,
    callLimit: createLimits(deps).token,
    clock,
    log,
    baseUrl: deps.baseUrl,
    allowedOrigins: ['https://friend.example'],
  })
  const routes = [mcpRoute(MCP_PATH, mcp)]
  const server = startServer({
    log,
    routes,
  })
  const url = `${server.url}${MCP_PATH}`

  function sender(body: unknown, headers: Record<string, string> = {}, path = '') {
    return fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${TOKEN}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  return {
    world,
    mcp,
    url,
    logged,
    sender,
    async reply(body, headers, path) {
      const response = await sender(body, headers, path)
      const text = await response.text()
      const { status } = response
      return { status, headers: response.headers, text, json: parsed(text) }
    },
    async [Symbol.asyncDispose]() {
      deps.waiters.close()
      await mcp.close(0)
      await server.stop(0)
      held[Symbol.dispose]()
      clientNames[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

function parsed(text: string): Json {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return data === '' ? {} : JSON.parse(data)
}

const PREFIX = 'io.modelcontextprotocol/'

/** The headers that a modern request repeats its body in. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

/** `_meta` of a modern request. */
export function modernMeta(more: Json = {}): Json {
  return {
    [`${PREFIX}protocolVersion`]: MODERN,
    [`${PREFIX}clientCapabilities`]: {},
    [`${PREFIX}clientInfo`]: { name: 'tester', title: 'The tester', version: '1' },
    ...more,
  }
}

export function rpc(method: string, params?: unknown, id: unknown = 1): Json {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}

/** A `tools/call` of the old era. */
export function toolCall(name: string, args: unknown, meta?: Json): Json {
  return rpc('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) })
}
