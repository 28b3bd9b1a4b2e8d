import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { putProtect } from '../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { PASSWORD } from '../support/auth-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { addPersonWithPassword, signInAt } from '../support/sign-in.ts'
import { rest, type ServersWorld, serversWorld } from './servers-world.ts'

// Without the lock both see one vote missing, and the question stays open though both said yes.
const ROUNDS = 60
const CHANGES = 30

let world: ServersWorld
let [a, b] = [] as unknown as [ServerProcess, ServerProcess]
let [bob, fay, owner] = [{}, {}, {}] as Array<Record<string, string>>
let guards: string[]
/** Says that Bob and Fay have to agree to who decides. */
let protect: () => Promise<void>

beforeAll(async () => {
  world = await serversWorld()
  await using db = await openPostgres({
    ...{ url: world.url, listenUrl: undefined, pool: 1, listens: false },
  })
  const add = (name: string) =>
    addPersonWithPassword(
      { db, clock },
      { email: `${name}@example.org`, name, role: 'member' as const },
    )
  const people = [await add('bob'), await add('fay')]
  const [{ workspaceId = 'ws_none' } = {}] = people
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: people.map(({ id }) => id), need: 2 },
  })
  guards = people.map(({ id }) => id)
  protect = async () => {
    await using own = await openPostgres({
      ...{ url: world.url, listenUrl: undefined, pool: 1, listens: false },
    })
    await own.write(async (tx) => {
      await putProtect(tx, workspaceId, { from: guards, need: 2 }, clock.now())
      tx.emit('policy', workspaceId)
    })
  }
  ;[a, b] = await Promise.all([world.server(), world.server()])
  const signIn = async (server: ServerProcess, email: string) => ({
    origin: server.url,
    cookie: await signInAt(server.url, { email, password: PASSWORD }),
  })
  ;[bob, fay] = [await signIn(a, 'bob@example.org'), await signIn(b, 'fay@example.org')]
  owner = await world.signIn(a)
}, 60_000)
afterAll(() => world?.[Symbol.asyncDispose]())

const bothVote = (id: unknown) => {
  const vote = (server: ServerProcess, as: Record<string, string> | undefined) =>
    rest(server, `/questions/${id}/answer`, { value: 'yes' }, as ?? {})
  return Promise.all([vote(a, bob), vote(b, fay)])
}

test('of two last votes at two servers at once one decides, each time, and once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ask = { question: `Apply ${round}?`, toolName: 'Bash', wait: false }
    const id = (await rest(a, '/questions', ask, world.agent)).body.correlationId
    const replies = await bothVote(id)
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.map(({ body }) => body.status).sort()).toEqual(['answered', 'pending'])
  }
  const open = await world.sql`select id from questions where status <> 'answered'`
  expect([...open]).toEqual([])
  const votes = await world.sql`select question_id from votes`
  expect(votes).toHaveLength(2 * ROUNDS)
  const late = await world.sql`select question_id from late_answers`
  expect([...late]).toEqual([])
  // Both servers sign what was decided; each decision is signed by one of them.
  const signed = await world.sql`select subject_id from audit where kind = 'receipt.signed'`
  const subjects = signed.map(({ subject_id }: { subject_id: string }) => subject_id)
  expect(new Set(subjects).size).toBe(subjects.length)
})

test('of two last votes on a proposed change at two servers at once one makes it, each time, and once', async () => {
  await protect()
  const count = async () => [
    (await world.sql`select id from rules`).length,
    (await world.sql`select seal from audit where kind = 'rule.changed'`).length,
  ]
  const before = await count()
  for (let round = 0; round < CHANGES; round++) {
    const approve = { from: guards.slice(0, 1) }
    const rule = { match: { toolName: `Tool${round}` }, approve }
    const proposed = await rest(a, '/rules', rule, owner ?? {})
    expect([round, proposed.status, proposed.body.code]).toEqual([round, 409, 'needs_agreement'])
    const replies = await bothVote(String(proposed.body.question).split('/').at(-1))
    expect(replies.map(({ body }) => body.status).sort()).toEqual(['answered', 'pending'])
  }
  expect(await count()).toEqual(before.map((one) => one + CHANGES))
  expect([...(await world.sql`select id from questions where status = 'pending'`)]).toEqual([])
}, 120_000)
