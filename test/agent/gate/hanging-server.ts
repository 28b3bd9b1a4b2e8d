/** An MCP server that answers some requests never, and others with a flood; for tests. */
type Json = Record<string, unknown>

const LINES = 20_000

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

function answer(id: unknown, method: string, params: Json): void {
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'hanging', version: '1' }
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  }
  // `tools/list` and the tool `hang` are never answered.
  if (method === 'ping') send({ id, result: {} })
  if (method !== 'tools/call') return
  if (params.name === 'flood') {
    const params = { level: 'info', data: 'x'.repeat(50) }
    for (let n = 0; n < LINES; n++) send({ method: 'notifications/message', params })
    process.stdout.write('not JSON\n'.repeat(LINES))
  }
  const words = params.name === 'params' ? JSON.stringify(params) : String(params.name)
  if (params.name !== 'hang') send({ id, result: text(words) })
}

for await (const line of console) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id !== undefined && method !== undefined) answer(id, method, params)
}

export {}
