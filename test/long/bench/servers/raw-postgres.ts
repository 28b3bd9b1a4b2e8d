import { SQL } from 'bun'

/** What the driver alone can do: read JSON, one insert in a transaction of its own, write JSON. */
const [url = '', size = '10'] = process.argv.slice(2)
const sql = new SQL(url, { max: Number(size) })
await sql`create table if not exists asks (id text primary key, question text, at bigint)`

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const message = (await request.json()) as {
      id: number
      params: { arguments?: { question?: string } }
    }
    const id = crypto.randomUUID()
    const question = message.params.arguments?.question ?? ''
    await sql.begin((tx) => tx`insert into asks values (${id}, ${question}, ${Date.now()})`)
    return Response.json({ jsonrpc: '2.0', id: message.id, result: { correlationId: id } })
  },
})
console.log(server.url.origin)
