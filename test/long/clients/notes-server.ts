import { appendFileSync, readFileSync } from 'node:fs'

/** An MCP server with one tool: what it says of it is in the file `NOTES_WORDS`, its calls go to `NOTES_RAN`. */
const { NOTES_WORDS = '', NOTES_RAN = '' } = process.env

function resultOf(method: string, params: Record<string, unknown>): object | undefined {
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'notes', version: '1' }
    return { protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    const description = readFileSync(NOTES_WORDS, 'utf8')
    const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } }
    return { tools: [{ name: 'read_note', description, inputSchema }] }
  }
  if (method === 'tools/call') {
    appendFileSync(NOTES_RAN, `${JSON.stringify(params.arguments)}\n`)
    return { content: [{ type: 'text', text: 'Buy flour.' }] }
  }
  return method === 'ping' ? {} : undefined
}

for await (const line of console) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined || typeof method !== 'string') continue
  const result = resultOf(method, params)
  const error = { code: -32601, message: `no method ${method}` }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
}
