/** Where agents reach the catalog over MCP. */
export const AGENTS_PATH = '/api/mcp/catalog'
