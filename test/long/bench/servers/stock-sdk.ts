import { Database } from 'bun:sqlite'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AskUserInput } from '../../../../src/ask/wire/ask-fields.ts'

/**
 * The SDK's documented stateless pattern: a new `Server` and transport a request, with the same
 * insert as `raw.ts` and the same tool schema five times.
 */
const [path = ''] = process.argv.slice(2)
const db = new Database(path, { create: true })
db.run('pragma journal_mode = wal')
db.run('pragma synchronous = full')
db.run('create table if not exists asks (id text primary key, question text, at integer)')
const insert = db.prepare('insert into asks (id, question, at) values (?, ?, ?)')
const tools = Array.from({ length: 5 }, (_, i) => ({
  name: `tool_${i}`,
  description: 'A tool.',
  inputSchema: AskUserInput as unknown as { type: 'object' },
}))

function newServer(): Server {
  const server = new Server({ name: 'stock', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const id = crypto.randomUUID()
    insert.run(id, String(params.arguments?.question ?? ''), Date.now())
    return { content: [{ type: 'text', text: JSON.stringify({ correlationId: id }) }] }
  })
  return server
}

const http = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const server = newServer()
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await server.connect(transport as unknown as Parameters<Server['connect']>[0])
    return transport.handleRequest(request)
  },
})
console.log(http.url.origin)
