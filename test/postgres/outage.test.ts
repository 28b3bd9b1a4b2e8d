import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type LoadOn, load } from '../long/crash/load.ts'
import { differences, emptyLedger, type Found, type Ledger } from '../long/crash/oracle.ts'
import { seeded } from '../long/crash/random.ts'
import { callIdOf } from '../support/question.ts'
import { SEED } from '../support/seed.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { howOften } from '../support/share.ts'
import { until } from '../support/until.ts'
import { rest, type ServersWorld, serversWorld } from './servers-world.ts'

const ROUNDS = howOften(1, 10)
const CONNECTIONS = 4
const HELD = 20

/** Calls that hold a question of their own at a server; each resolves to what it was told. */
async function holdMany(world: ServersWorld, server: ServerProcess, name: string) {
  const questions = Array.from({ length: HELD }, (_, i) => `Held ${name}-${i}?`)
  const calls = questions.map((question) =>
    rest(server, '/questions', { question, wait: true, timeoutMs: 55_000 }, world.agent),
  )
  const ids: string[] = []
  await until(async () => {
    const rows: Array<{ id: string; question: string }> = await world.sql`
      select id, question from questions where question like ${`Held ${name}-%`}`
    ids.splice(
      0,
      ids.length,
      ...questions.map((one) => rows.find((row) => row.question === one)?.id ?? ''),
    )
    return rows.length === HELD
  })
  /** What each call was told; one that could not look in time says to wait again. */
  async function values() {
    return await Promise.all(
      calls.map(async (call, i) => {
        const { body } = await call
        if (body.answered) return body.value
        return (await rest(server, `/questions/${ids[i]}`, undefined, world.agent)).body.value
      }),
    )
  }
  return { ids, values }
}

async function readStored(world: ServersWorld) {
  const rows: Array<Omit<Found, 'key'> & { key: string | null }> = await world.sql`
    select id, key, question, status, value from questions where question like 'Deploy %'`
  const titles: Array<{ title: string }> = await world.sql`select title from notifications`
  return {
    questions: rows.map((row) => ({ ...row, key: String(keyOf(row.key)) })),
    titles: new Set(titles.map(({ title }) => title)),
  }
}

const keyOf = (key: string | null) => callIdOf({ key: key ?? undefined }) ?? key

/** A client that was told "unavailable" knows nothing of the end. */
function knownEnds(ledger: Ledger): Ledger {
  const asks = ledger.asks.map((one) =>
    one.ended?.status === 'unavailable' ? { ...one, ended: undefined } : one,
  )
  return { ...ledger, asks }
}

/** What a client is told while the database is away. */
const isAway = (refusal: string) => /: 503 |unavailable/.test(refusal)

test(`kill -9 of PostgreSQL under load loses nothing that was acknowledged (TEST_SEED=${SEED})`, async () => {
  await using world = await serversWorld()
  const [a, b] = await Promise.all([world.server(), world.server()])
  const owner = await world.signIn(b)
  const random = seeded(SEED)
  for (let round = 0; round < ROUNDS; round++) {
    const held = await holdMany(world, a, String(round))
    const ledgers = [emptyLedger(), emptyLedger()]
    let over = false
    const loads = [a, b].map((server, i) => {
      const on: LoadOn = {
        url: server.url,
        agent: world.agent,
        owner: { ...owner, origin: server.url },
        random,
        name: `r${round}-${i}`,
        callbackUrl: () => 'http://127.0.0.1:9/gone',
      }
      return load(on, CONNECTIONS, () => over, ledgers[i])
    })
    await until(() => ledgers.every(({ acknowledged }) => acknowledged > 10))
    await world.cluster.kill()
    // Asked while it is away: refused, and the process lives.
    await until(async () => (await fetch(`${a.url}/readyz`)).status === 503)
    expect((await fetch(`${a.url}/healthz`)).status).toBe(200)
    await world.cluster.start()
    await until(async () => (await fetch(`${a.url}/readyz`)).status === 200)
    const before = ledgers.map(({ acknowledged }) => acknowledged)
    await until(() => ledgers.every(({ acknowledged }, i) => acknowledged > (before[i] ?? 0) + 10))
    over = true
    await Promise.all(loads)

    const answering = performance.now()
    for (const id of held.ids) {
      const reply = await rest(b, `/questions/${id}/answer`, { value: 'yes' }, owner)
      expect(reply.status).toBe(200)
    }
    for (const value of await held.values()) expect(value).toBe('yes')
    const { questions, titles } = await readStored(world)
    for (const one of ledgers) {
      const refused = one.refused.filter((refusal) => !isAway(refusal))
      expect(differences({ ...knownEnds(one), refused }, questions, titles)).toEqual([])
    }
    const good = ledgers.map(
      ({ acknowledged, refused }) => `${acknowledged} good, ${refused.length} refused`,
    )
    console.log(
      `round ${round}: ${good.join('; ')}; ${HELD} held woken in ${Math.round(performance.now() - answering)} ms`,
    )
  }
}, 600_000)

test('a database that is frozen is refused within the deadline, and serves again by itself', async () => {
  await using world = await serversWorld()
  const server = await world.server()
  const held = await holdMany(world, server, 'frozen')
  const all = [world.cluster.pid(), ...childrenOf(world.cluster.pid())]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  const began = performance.now()
  const body = { question: 'While frozen?', wait: false, requestId: 'frozen-1' }
  const reply = await rest(server, '/questions', body, world.agent)
  const took = performance.now() - began
  const ready = await fetch(`${server.url}/readyz`)
  for (const pid of all) process.kill(pid, 'SIGCONT')
  expect([reply.status, ready.status]).toEqual([503, 503])
  console.log(`refused after ${(took / 1_000).toFixed(1)} s: ${String(reply.body.detail)}`)
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
  const again = await rest(server, '/questions', body, world.agent)
  expect(again.status).toBeLessThan(300)
  const owner = await world.signIn(server)
  for (const id of held.ids) await rest(server, `/questions/${id}/answer`, { value: 'yes' }, owner)
  for (const value of await held.values()) expect(value).toBe('yes')
}, 120_000)

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
}
