import { AGENTS_PATH } from '../agents/address.ts'
import { CATALOG_TOOLS } from '../agents/endpoint.ts'

const MESSAGE = { $ref: '#/components/schemas/CatalogRpcMessage' }
const REPLY = { 'application/json': { schema: MESSAGE } }

/** The endpoint for agents. OpenAPI says only that it takes JSON-RPC; MCP describes the rest. */
export function agentsOpenApi() {
  const names = CATALOG_TOOLS.map(({ name }) => `\`${name}\``).join(', ')
  return {
    paths: {
      [AGENTS_PATH]: {
        post: {
          operationId: 'askCatalog',
          summary: 'The catalog for agents over MCP (Streamable HTTP).',
          description: `A client of MCP sends one message of JSON-RPC 2.0. Tools: ${names}.`,
          tags: ['catalog'],
          security: [],
          requestBody: { required: true, content: REPLY },
          responses: {
            200: {
              description: 'The answer to a request, also when a tool failed.',
              content: REPLY,
            },
            202: { description: 'The notification was accepted.' },
            400: { description: 'It is not an MCP message.', content: REPLY },
            403: { description: 'The request comes from a page of another site.', content: REPLY },
            415: { description: 'The body is not sent as JSON.', content: REPLY },
          },
        },
      },
    },
    schemas: {
      CatalogRpcMessage: {
        type: 'object',
        required: ['jsonrpc'],
        description: 'A message of JSON-RPC 2.0, as MCP uses it.',
        properties: {
          jsonrpc: { const: '2.0' },
          id: { type: ['string', 'integer', 'null'] },
          method: { type: 'string', examples: ['tools/list', 'tools/call'] },
          params: { type: 'object' },
          result: { type: 'object' },
          error: { type: 'object' },
        },
      },
    },
  }
}
