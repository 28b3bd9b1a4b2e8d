import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ServerProcess } from '../support/server-process.ts'
import { howOften } from '../support/share.ts'
import { until } from '../support/until.ts'
import { rest, type ServersWorld, serversWorld } from './servers-world.ts'

let world: ServersWorld
let [a, b] = [] as unknown as [ServerProcess, ServerProcess]
let owner: Record<string, string>

beforeAll(async () => {
  world = await serversWorld()
  ;[a, b] = await Promise.all([world.server(), world.server()])
  owner = await world.signIn(b)
}, 60_000)
afterAll(() => world?.[Symbol.asyncDispose]())

let count = 0

/** Asks at `server` in a call that is held; gives its reply, and the question once it is stored. */
async function hold(server: ServerProcess) {
  const requestId = `held-${++count}`
  const question = `Deploy ${requestId}?`
  const held = rest(server, '/questions', { question, requestId, wait: true }, world.agent)
  let id = ''
  await until(async () => {
    const [row] = await world.sql`select id from questions where question = ${question}`
    id = row?.id ?? ''
    return id !== ''
  })
  return { id, held }
}

test('an answer at one server ends the call that another holds', async () => {
  const took: number[] = []
  for (let i = 0; i < howOften(5, 200); i++) {
    const { id, held } = await hold(a)
    const began = performance.now()
    const ended = held.then(() => took.push(performance.now() - began))
    const answered = await rest(b, `/questions/${id}/answer`, { value: 'yes' }, owner)
    expect(answered).toMatchObject({ status: 200 })
    expect(await held).toMatchObject({ status: 200, body: { status: 'answered', value: 'yes' } })
    await ended
  }
  took.sort((x, y) => x - y)
  const at = (part: number) => took[Math.floor((took.length - 1) * part)]?.toFixed(1)
  console.log(`answer at B to reply at A: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${took.length}`)
})

test('of a hundred calls with one key at two servers one question comes', async () => {
  const body = { question: 'Once?', requestId: 'the-one', wait: false }
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, i) => rest(i % 2 ? a : b, '/questions', body, world.agent)),
  )
  const ids = new Set(all.map((reply) => reply.body.correlationId))
  expect([all.filter(({ status }) => status >= 300), ids.size]).toEqual([[], 1])
  const [{ n }] = await world.sql`select count(*)::int as n from questions where question = 'Once?'`
  expect(n).toBe(1)
})

test('a sign-in at one server counts at the other, and its end too', async () => {
  const cookie = { cookie: owner.cookie as string }
  const me = (server: ServerProcess) =>
    fetch(`${server.url}/api/auth/get-session`, { headers: cookie }).then((reply) => reply.json())
  expect(await me(a)).toMatchObject({ user: { email: 'ada@example.com' } })
  const again = await world.signIn(b)
  const out = await fetch(`${b.url}/api/auth/sign-out`, { method: 'POST', headers: again })
  expect(out.status).toBe(200)
  const gone = await fetch(`${a.url}/api/auth/get-session`, { headers: again })
  expect(await gone.json()).toBeNull()
})

test('a token that a command revokes ends the call that it holds', async () => {
  const output = await world.command('key', 'create', '--name', 'short', '--json')
  const { id, token } = JSON.parse(output)
  const held = rest(
    a,
    '/questions',
    { question: 'Still there?', wait: true },
    { authorization: `Bearer ${token}` },
  )
  await until(async () => {
    const rows = await world.sql`select id from questions where question = 'Still there?'`
    return rows.length === 1
  })
  await world.command('key', 'revoke', id)
  expect(await held).toMatchObject({ status: 401 })
})

test('a server that is stopped ends its waits as pending, and the other one takes them on', async () => {
  const c = await world.server()
  const { id, held } = await hold(c)
  const stopped = c.end('SIGTERM')
  expect(await held).toMatchObject({ body: { status: 'pending' } })
  expect((await stopped).code).toBe(0)
  const on = rest(a, `/questions/${id}`, undefined, world.agent)
  await rest(b, `/questions/${id}/answer`, { value: 'no' }, owner)
  expect(await on).toMatchObject({ body: { status: 'answered', value: 'no' } })
})
