/** An MCP server whose one tool asks its client for what it is called with, if the client can be asked. */
type Json = Record<string, unknown>

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const answers = new Map<unknown, (answer: unknown) => void>()
let mayAsk = false
let requests = 0

async function resultOf(method: string, params: Json): Promise<object> {
  if (method === 'initialize') {
    const { protocolVersion, capabilities } = params as {
      protocolVersion: string
      capabilities: Json
    }
    mayAsk = capabilities.elicitation !== undefined
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'asks', version: '1' },
    }
  }
  if (method === 'tools/list') return { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }
  if (method !== 'tools/call') return {}
  const { dieAfterMs, ...form } = params.arguments as Json
  if (dieAfterMs !== undefined) setTimeout(() => process.exit(3), Number(dieAfterMs))
  const id = requests++
  const answer = new Promise((resolve) => answers.set(id, resolve))
  if (mayAsk) send({ id, method: 'elicitation/create', params: form })
  const text = mayAsk ? JSON.stringify(await answer) : 'the client cannot be asked'
  return { content: [{ type: 'text', text }] }
}

for await (const line of console) {
  const { id, method, params = {}, result } = JSON.parse(line)
  if (method === undefined) answers.get(id)?.(result)
  else if (id !== undefined)
    void resultOf(method, params).then((answer) => send({ id, result: answer }))
}

export {}
