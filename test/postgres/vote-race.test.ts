import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { PASSWORD } from '../support/auth-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { addPersonWithPassword, signInAt } from '../support/sign-in.ts'
import { rest, type ServersWorld, serversWorld } from './servers-world.ts'

// Without the lock both see one vote missing, and the question stays open though both said yes.
const ROUNDS = 60

let world: ServersWorld
let [a, b] = [] as unknown as [ServerProcess, ServerProcess]
let [bob, fay] = [{}, {}] as [Record<string, string>, Record<string, string>]

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
  ;[a, b] = await Promise.all([world.server(), world.server()])
  const signIn = async (server: ServerProcess, email: string) => ({
    origin: server.url,
    cookie: await signInAt(server.url, { email, password: PASSWORD }),
  })
  ;[bob, fay] = [await signIn(a, 'bob@example.org'), await signIn(b, 'fay@example.org')]
}, 60_000)
afterAll(() => world?.[Symbol.asyncDispose]())

test('of two last votes at two servers at once one decides, each time, and once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ask = { question: `Apply ${round}?`, toolName: 'Bash', wait: false }
    const id = (await rest(a, '/questions', ask, world.agent)).body.correlationId
    const vote = (server: ServerProcess, as: Record<string, string>) =>
      rest(server, `/questions/${id}/answer`, { value: 'yes' }, as)
    const replies = await Promise.all([vote(a, bob), vote(b, fay)])
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
