import { SQL } from 'bun'

/**
 * What a held call and its answer cost at least: an answer is one update in a transaction, NOTIFY
 * follows the commit, and every process reads the row again before it replies.
 */
const [url = ''] = process.argv.slice(2)
const sql = new SQL(url, { max: 10 })
const listening = new SQL(url, { max: 1 })
await sql`create table if not exists held (id text primary key, answer text)`

const held = new Map<string, (answer: string) => void>()

async function hold(id: string): Promise<Response> {
  await sql.begin((tx) => tx`insert into held values (${id}, ${null})`)
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(': held\n\n')
      held.set(id, (value) => {
        controller.enqueue(`data: ${JSON.stringify({ jsonrpc: '2.0', id, answer: value })}\n\n`)
        controller.close()
      })
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

async function answer(id: string, { value }: { value: string }): Promise<Response> {
  await sql.begin((tx) => tx`update held set answer = ${value} where id = ${id}`)
  void sql`select pg_notify('held', ${id})`.execute()
  return Response.json({ status: 'answered' })
}

await listening.listen('held', async (id) => {
  const wake = held.get(id)
  if (!wake) return
  held.delete(id)
  const [row] = await sql`select answer from held where id = ${id}`
  wake(row.answer)
})

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  async fetch(request) {
    const [, what, id = ''] = new URL(request.url).pathname.split('/')
    if (what === 'hold') return hold(id)
    return answer(id, (await request.json()) as { value: string })
  },
})
console.log(server.url.origin)
