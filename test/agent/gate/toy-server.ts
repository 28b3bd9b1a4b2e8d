/** An MCP server for tests; each tool does what its name says, and writes down in `RAN` that it ran. */
import { appendFileSync } from 'node:fs'

type Json = Record<string, unknown>

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const text = (words: string, more: Json = {}) => ({
  content: [{ type: 'text', text: words }],
  ...more,
})
const answers = new Map<unknown, (answer: unknown) => void>()
const cancelled = new Map<unknown, () => void>()
let description = 'Returns its message.'
let requests = 0

const tools = () =>
  [
    'echo',
    'add',
    'big',
    'die',
    'die-idle',
    'slow',
    'progress',
    'ask',
    'change',
    'fail',
    'env',
    'slow-asked',
    'stubborn',
  ].map((name) => ({ name, description, inputSchema: { type: 'object' } }))

function request(method: string, params: Json): Promise<unknown> {
  const id = ++requests
  send({ id, method, params })
  return new Promise((resolve) => answers.set(id, resolve))
}

async function call(id: unknown, name: unknown, params: Json): Promise<Json | undefined> {
  const args = (params.arguments ?? {}) as Json
  const { progressToken } = (params._meta ?? {}) as Json
  if (process.env.RAN) appendFileSync(process.env.RAN, `${JSON.stringify([name, args])}\n`)
  switch (name) {
    case 'echo':
      return text(String(args.message))
    case 'big':
      return text('x'.repeat(Number(args.size)))
    case 'die':
      return process.exit(3)
    case 'die-idle':
      setTimeout(() => process.exit(4), 10)
      return text('soon')
    case 'slow': {
      const { promise, resolve } = Promise.withResolvers<void>()
      cancelled.set(id, resolve)
      const timer = setTimeout(resolve, Number(args.ms))
      await promise
      clearTimeout(timer)
      return cancelled.delete(id) ? text('slept') : undefined
    }
    case 'slow-asked':
    case 'stubborn':
      await new Promise((resolve) => setTimeout(resolve, Number(args.ms)))
      return text('slept')
    case 'progress':
      for (const progress of [1, 2])
        send({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } })
      return text('done')
    case 'ask':
      return text(JSON.stringify(await request('elicitation/create', { message: 'Who?' })))
    case 'change':
      description = String(args.description)
      send({ method: 'notifications/tools/list_changed' })
      return text('changed')
    case 'fail':
      return text('it failed', { isError: true })
    case 'env':
      return text(JSON.stringify(Object.keys(process.env).filter((one) => /BECKON/.test(one))))
    default:
      return text(`there is no tool ${name}`, { isError: true })
  }
}

async function answer(id: unknown, method: string, params: Json): Promise<void> {
  if (method === 'initialize') {
    const { protocolVersion } = params
    const capabilities = { tools: { listChanged: true } }
    return send({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: 'toy' }, pid: process.pid },
    })
  }
  if (method === 'tools/list') return send({ id, result: { tools: tools() } })
  if (method === 'tools/call') {
    const result = await call(id, params.name, params)
    if (result) send({ id, result })
    return
  }
  if (method === 'ping') return send({ id, result: {} })
  send({ id, error: { code: -32601, message: `no method ${method}` } })
}

for await (const line of console) {
  let messages: Json[]
  try {
    messages = [JSON.parse(line)].flat()
  } catch {
    process.stdout.write(`not JSON: ${line}\n`)
    continue
  }
  for (const { id, method, params = {}, result } of messages) {
    if (method === 'notifications/cancelled') {
      const { requestId } = params as Json
      const stop = cancelled.get(requestId)
      cancelled.delete(requestId)
      stop?.()
    } else if (typeof method === 'string' && id !== undefined)
      void answer(id, method, params as Json)
    else if (method === undefined) answers.get(id)?.(result)
  }
}
