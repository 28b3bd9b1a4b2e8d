import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** A server as most are: on the official SDK, with one tool that does next to nothing. */
const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }],
}))
server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: input } }) => ({
  content: [{ type: 'text', text: String(input?.message).repeat(Number(input?.times ?? 1)) }],
}))
await server.connect(new StdioServerTransport())
