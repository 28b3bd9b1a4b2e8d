import { Database } from 'bun:sqlite'

/**
 * What the runtime alone can do: read JSON, one prepared insert, write JSON. `sync` is SQLite's
 * `synchronous`: `full` keeps the promise that Beckon gives, `normal` may lose what it said.
 */
const [path = '', sync = 'full'] = process.argv.slice(2)
const db = new Database(path, { create: true })
db.run('pragma journal_mode = wal')
db.run(`pragma synchronous = ${sync}`)
db.run('create table if not exists asks (id text primary key, question text, at integer)')
const insert = db.prepare('insert into asks (id, question, at) values (?, ?, ?)')

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const message = (await request.json()) as {
      id: number
      params: { arguments?: { question?: string } }
    }
    const id = crypto.randomUUID()
    insert.run(id, message.params.arguments?.question ?? '', Date.now())
    return Response.json({ jsonrpc: '2.0', id: message.id, result: { correlationId: id } })
  },
})
console.log(server.url.origin)
