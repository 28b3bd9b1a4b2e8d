import { Database } from 'bun:sqlite'

/**
 * What the runtime alone can do: read JSON, one prepared insert, write JSON. `mode` is when a reply
 * is sent: `full` after a commit and sync of its own, `group` after one that it shares with whatever
 * arrived meanwhile, `normal` before its commit is on disk (it may lose what it said).
 */
const [path = '', mode = 'full'] = process.argv.slice(2)
const db = new Database(path, { create: true })
db.run('pragma journal_mode = wal')
db.run(`pragma synchronous = ${mode === 'normal' ? 'normal' : 'full'}`)
db.run('create table if not exists asks (id text primary key, question text, at integer)')
const insert = db.prepare('insert into asks (id, question, at) values (?, ?, ?)')

type Ask = [id: string, question: string, at: number]
let group: Ask[] = []
let written: Promise<void> | undefined

const insertAll = db.transaction((asks: Ask[]) => {
  for (const ask of asks) insert.run(...ask)
})

/** Resolves when the group that holds `ask` is on disk. */
function insertWithOthers(ask: Ask): Promise<void> {
  group.push(ask)
  written ??= new Promise((resolve) =>
    setImmediate(() => {
      const asks = group
      group = []
      written = undefined
      insertAll(asks)
      resolve()
    }),
  )
  return written
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const message = (await request.json()) as {
      id: number
      params: { arguments?: { question?: string } }
    }
    const id = crypto.randomUUID()
    const ask: Ask = [id, message.params.arguments?.question ?? '', Date.now()]
    if (mode === 'group') await insertWithOthers(ask)
    else insert.run(...ask)
    return Response.json({ jsonrpc: '2.0', id: message.id, result: { correlationId: id } })
  },
})
console.log(server.url.origin)
