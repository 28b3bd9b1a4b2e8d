import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { restWorld } from '../../ask/http/rest-world.ts'
import { beckon } from '../../support/beckon.ts'
import { serverProcess } from '../../support/server-process.ts'
import { everyNth } from '../../support/share.ts'
import { crashWorld, signIn } from './world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const PAGE = 4_096
const ASK = { question: 'Deploy?', wait: false }

type Spoil = (bytes: Buffer) => Buffer

async function refusal(spoil: Spoil): Promise<{ code: number; out: string; err: string }> {
  await using world = await crashWorld()
  spoilt(world.data, spoil)
  return await beckon(['serve', '--data', world.data, '--port', '0'])
}

function spoilt(data: string, spoil: Spoil) {
  const file = join(data, 'beckon.db')
  writeFileSync(file, spoil(readFileSync(file)))
}

const REFUSED: Array<[what: string, spoil: Spoil]> = [
  ['whose header is overwritten', (bytes) => bytes.fill(0x5a, 0, 100)],
  ['whose first page is overwritten', (bytes) => bytes.fill(0x5a, 100, PAGE)],
  ['that is cut in half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['that ends within a page', (bytes) => bytes.subarray(0, (bytes.length >> 1) + 777)],
]
test.each(everyNth(REFUSED, 2))(
  'a database %s is one sentence that says what to do',
  async (_what, spoil) => {
    const { code, out, err } = await refusal(spoil)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      / is damaged \(SQLITE_\w+\)(; r|\. Nothing was changed\. R)estore a backup( or a snapshot)?: beckon restore FILE --data \S+\.\n$/,
    )
    expect(err.trim().split('\n')).toHaveLength(1)
  },
)

/** Overwrites the page at which this table or index begins. */
function spoilTable(data: string, name: string) {
  const db = new Database(join(data, 'beckon.db'), { readonly: true })
  const rows = db.query('select rootpage from sqlite_master where name = ?').values(name)
  db.close()
  const page = Number(rows[0]?.[0])
  spoilt(data, (bytes) => bytes.fill(0x5a, (page - 1) * PAGE, page * PAGE))
}

test('a damaged page is one sentence to whom it concerns; the rest goes on', async () => {
  await using world = await crashWorld()
  const headers = {
    ...world.agent,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const call = async (url: string, body?: object) => {
    const request = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(url, { headers, ...request })
    return { status: response.status, text: await response.text() }
  }
  await using before = await serverProcess(world.data)
  const { text } = await call(`${before.url}/api/v1/questions`, ASK)
  const { correlationId } = JSON.parse(text)
  expect((await before.end('SIGTERM')).code).toBe(0)
  spoilTable(world.data, 'questions')

  await using server = await serverProcess(world.data)
  const api = `${server.url}/api/v1`
  const params = { name: 'wait_for_answer', arguments: { correlationId } }
  const reply = await call(`${api}/questions`, { ...ASK, question: 'Once more?' })
  const read = await call(`${api}/questions/${correlationId}`)
  // What cannot be recorded is refused; of what cannot be read the state is said.
  expect([reply.status, read.status]).toEqual([503, 200])
  expect(JSON.parse(read.text)).toMatchObject({ correlationId, status: 'unavailable' })
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const overMcp = await call(server.url + MCP_PATH, rpc)
  expect(reply.text).toContain('The database of the server is damaged; nothing was recorded. Its')
  for (const one of [reply, read, overMcp]) expect(one.text).toContain('unavailable')
  const notification = await call(`${api}/notifications`, { title: 'Built', body: 'All green.' })
  expect(notification.status).toBe(200)
  expect((await server.end('SIGTERM')).code).toBe(0)
})

test('where it cannot be read who is signed in, that is said, on pages too', async () => {
  await using world = await crashWorld()
  await using before = await serverProcess(world.data)
  const owner = await signIn(before.url)
  expect((await before.end('SIGTERM')).code).toBe(0)
  spoilTable(world.data, 'people')
  await using server = await serverProcess(world.data)
  for (const path of ['/', '/api/v1/inbox']) {
    const response = await fetch(server.url + path, { headers: owner, redirect: 'manual' })
    expect([path, response.status]).toEqual([path, 503])
    expect(await response.text()).toContain('The database could not be read')
  }
})

test('a damaged page that the start needs is one sentence, never called a bug', async () => {
  await using world = await crashWorld()
  spoilTable(world.data, 'settings')
  const { code, err } = await beckon(['serve', '--data', world.data, '--port', '0'])
  expect(code).toBe(1)
  expect(err.trim().split('\n').at(-1)).toMatch(/^The database of the server is damaged; /)
})

test('the torn end of a log that was being written is ignored', async () => {
  await using world = await crashWorld()
  await using server = await serverProcess(world.data)
  const titles = Array.from({ length: 12 }, (_, n) => `Built ${n}`)
  const wal = join(world.data, 'beckon.db-wal')
  const sizes: number[] = []
  for (const title of titles) {
    const response = await fetch(`${server.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { ...world.agent, 'content-type': 'application/json' },
      body: JSON.stringify({ title, body: 'All green.' }),
    })
    expect(response.status).toBe(200)
    sizes.push(Bun.file(wal).size)
  }
  await server.end('SIGKILL')
  // Whatever came after the tenth was heard of is cut, within a frame.
  truncateSync(wal, (sizes[9] ?? 0) + 1_000)
  await using next = await serverProcess(world.data)
  using db = new Database(join(world.data, 'beckon.db'), { readonly: true })
  const storedTitles = db.query('select title from notifications').values().flat()
  expect(storedTitles).toEqual(expect.arrayContaining(titles.slice(0, 10)))
  expect(db.query('pragma integrity_check').values()).toEqual([['ok']])
  expect((await next.end('SIGTERM')).code).toBe(0)
})

test('while another program holds the database everybody is answered, and the write waits', async () => {
  await using world = await restWorld()
  const path = '/api/v1/questions'
  using other = new Database(world.db.place)
  other.run('begin immediate')
  const asking = world.call({ as: 'agent', method: 'POST', path, body: ASK })
  await Bun.sleep(100)
  for (let n = 0; n < 3; n++) {
    expect((await world.call({ as: 'member', path: '/api/v1/inbox' })).status).toBe(200)
  }
  other.run('rollback')
  expect((await asking).status).toBe(200)
})

test('a database that stays held is one sentence and 503, until it is free', async () => {
  await using world = await restWorld()
  const ask = { as: 'agent', method: 'POST', path: '/api/v1/questions', body: ASK } as const
  using other = new Database(world.db.place)
  other.run('begin exclusive')
  const { status, body } = await world.call(ask)
  expect([status, body]).toEqual([
    503,
    expect.objectContaining({
      detail: 'Another program holds the database; nothing was recorded. Try again shortly.',
    }),
  ])
  other.run('rollback')
  expect((await world.call(ask)).status).toBe(200)
})

test('a server ends in order although the tables it tidies at the end are damaged', async () => {
  await using world = await crashWorld()
  const names = ['leases', 'sqlite_autoindex_leases_1', 'sqlite_autoindex_alarms_1']
  for (const name of names) spoilTable(world.data, name)
  await using server = await serverProcess(world.data)
  // The first request loads what is tidied up.
  expect((await fetch(`${server.url}/api/v1/tools.json`)).status).toBe(200)
  const headers = { ...world.agent, 'content-type': 'application/json' }
  const body = JSON.stringify(ASK)
  await fetch(`${server.url}/api/v1/questions`, { method: 'POST', headers, body })
  await world.push.until(1)
  expect((await server.end('SIGTERM')).code).toBe(0)
})
