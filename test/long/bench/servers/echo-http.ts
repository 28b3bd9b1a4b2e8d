import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** As `echo.ts`, over HTTP, with a session for each client. */
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
const http = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const id = request.headers.get('mcp-session-id') ?? ''
    return await (sessions.get(id) ?? (await begin())).handleRequest(request)
  },
})
console.log(`http://127.0.0.1:${http.port}`)

async function begin(): Promise<WebStandardStreamableHTTPServerTransport> {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }],
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: input } }) => ({
    content: [{ type: 'text', text: String(input?.message).repeat(Number(input?.times ?? 1)) }],
  }))
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await server.connect(transport)
  return transport
}
