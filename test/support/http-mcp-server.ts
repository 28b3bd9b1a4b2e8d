import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import * as types from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server as ModernServer } from '@modelcontextprotocol/server'

type Json = Record<string, unknown>

/** A server on the official SDKs, over HTTP, in either era; it notes each tool that it runs. */
export type HttpMcpServer = AsyncDisposable & {
  url: string
  ran: Array<[name: string, args: Json]>
  /** The headers of each request that it got. */
  headers: Headers[]
  /** Changes the description of its tools, and says so. */
  change(description: string): void
  /** Stops listening, and breaks off what is open. */
  die(): Promise<void>
  /** Answers every request itself from now on; undefined ends that. */
  answer(own: ((request: Request) => Response | Promise<Response>) | undefined): void
}

const schema = { type: 'object', properties: {}, additionalProperties: true } as const

export async function httpMcpServer(era: 'old' | 'modern'): Promise<HttpMcpServer> {
  const state = { description: 'Returns its message.' }
  const ran: HttpMcpServer['ran'] = []
  const headers: Headers[] = []
  let own: ((request: Request) => Response | Promise<Response>) | undefined
  const tools = () =>
    ['echo', 'big', 'fail', 'slow', 'steps'].map((name) => ({
      name,
      description: state.description,
      inputSchema: schema,
      annotations: { readOnlyHint: name === 'echo' },
    }))
  const run = async (
    name: string,
    args: Json,
    tell: (progress: number) => Promise<void>,
    signal: AbortSignal,
  ) => {
    ran.push([name, args])
    if (name === 'fail') return { content: [text('it failed')], isError: true }
    if (name === 'big') return { content: [text('x'.repeat(Number(args.size)))] }
    if (name === 'steps') for (const step of [1, 2]) await tell(step)
    if (name === 'slow') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { content: [text(String(args.message ?? 'done'))] }
  }
  const { fetch, change, close } = era === 'old' ? oldEra(tools, run) : modernEra(tools, run)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      headers.push(request.headers)
      return await (own ? own(request) : fetch(request))
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    ran,
    headers,
    change(description) {
      state.description = description
      change()
    },
    async die() {
      await server.stop(true)
    },
    answer: (next) => {
      own = next
    },
    async [Symbol.asyncDispose]() {
      await close()
      await server.stop(true)
    },
  }
}

const text = (words: string) => ({ type: 'text' as const, text: words })

type Tools = () => Array<{ name: string; description: string; inputSchema: typeof schema }>
type Run = (
  name: string,
  args: Json,
  tell: (progress: number) => Promise<void>,
  signal: AbortSignal,
) => Promise<{ content: Array<ReturnType<typeof text>>; isError?: boolean }>

function oldEra(tools: Tools, run: Run) {
  const sessions = new Map<
    string,
    { transport: WebStandardStreamableHTTPServerTransport; server: Server }
  >()
  let count = 0

  async function begin() {
    const server = new Server(
      { name: 'toy', version: '1' },
      {
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
        instructions: 'Be kind.',
      },
    )
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools() }))
    server.setRequestHandler(
      types.CallToolRequestSchema,
      ({ params }, { signal, sendNotification }) => {
        const { progressToken } = params._meta ?? {}
        const tell = async (progress: number) => {
          if (progressToken !== undefined)
            await sendNotification({
              method: 'notifications/progress',
              params: { progressToken, progress },
            })
        }
        return run(params.name, params.arguments ?? {}, tell, signal)
      },
    )
    server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
      resources: [{ uri: 'a://1', name: 'Ünï' }],
    }))
    server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }) => ({
      contents: [{ uri: params.uri, text: 'hello' }],
    }))
    server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: [{ name: 'p' }] }))
    server.setRequestHandler(types.GetPromptRequestSchema, () => ({
      messages: [{ role: 'user', content: text('say') }],
    }))
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++count}`,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport)
    return transport
  }

  return {
    async fetch(request: Request) {
      const id = request.headers.get('mcp-session-id')
      const session = id === null ? undefined : sessions.get(id)
      if (id !== null && !session) return new Response('no such session', { status: 404 })
      return await (session?.transport ?? (await begin())).handleRequest(request)
    },
    change() {
      for (const { server } of sessions.values()) void server.sendToolListChanged()
    },
    async close() {
      for (const { transport } of sessions.values()) await transport.close()
    },
  }
}

function modernEra(tools: Tools, run: Run) {
  const handler = createMcpHandler(() => {
    const server = new ModernServer(
      { name: 'toy', version: '1' },
      {
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
        instructions: 'Be kind.',
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: tools() }))
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const { progressToken } = params._meta ?? {}
      const tell = async (progress: number) => {
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress },
          })
      }
      return run(params.name, params.arguments ?? {}, tell, context.mcpReq.signal)
    })
    server.setRequestHandler('resources/list', () => ({
      resources: [{ uri: 'a://1', name: 'Ünï' }],
    }))
    server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: 'p' }] }))
    return server
  })
  return {
    fetch: (request: Request) => handler.fetch(request),
    change: () => handler.notify.toolsChanged(),
    close: () => handler.close(),
  }
}
