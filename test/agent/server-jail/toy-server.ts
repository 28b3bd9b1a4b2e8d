import { readFileSync, writeFileSync } from 'node:fs'

/** An MCP server: `write` and `read` a file, `ask` the client for its folders and write them, `wait` for ever. */
const send = (message: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const waiting = new Map<unknown, (answer: unknown) => void>()
let isReady = false
let nextId = 0

function answer(id: unknown, method: string, params: Record<string, string>): unknown {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: {} }
  if (!isReady) throw new Error('it was not initialized')
  try {
    if (method === 'write') writeFileSync(params.path ?? '', 'by a server')
    if (method === 'read') return { text: readFileSync(params.path ?? '', 'utf8') }
    if (method === 'pid') return { pid: process.pid, secret: process.env.SECRET ?? null }
    if (method === 'exit') process.exit(3)
    if (method === 'ask') {
      waiting.set(nextId, (roots) => send({ id, result: roots as object }))
      send({ id: nextId++, method: 'roots/list' })
    }
    return method === 'wait' || method === 'ask' ? undefined : { done: true }
  } catch (error) {
    return { failed: (error as NodeJS.ErrnoException).code }
  }
}

process.stdout.write('a line that is no message\n')
for await (const line of console) {
  if (line === '') continue
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'notifications/initialized') isReady = true
  else if (method === undefined) waiting.get(id)?.(result)
  else {
    const result = answer(id, method, params ?? {})
    if (result !== undefined) send({ id, result })
  }
}
