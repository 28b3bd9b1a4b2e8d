import { SQL } from 'bun'
import { NO_POSTGRES, postgresPrograms, startCluster } from '../../support/postgres-cluster.ts'
import { asksPerSecond } from './asks.ts'
import { askMessage, type Beckon, inTurn, MCP_PATH, startBeckon } from './beckon.ts'
import { connectDevices } from './devices.ts'
import { holdMany } from './held.ts'
import { type HeldCall, hold } from './held-calls.ts'
import { signIn } from './person.ts'
import { type Measured, median, startMeasured } from './process.ts'
import type { Row } from './row.ts'

const ROUNDS = 5
// An ask there runs through more code than on SQLite, and is compiled after some ten thousand.
const WARM_UP = 6
const HELD_EACH = 1_000
const ANSWERS = 400
const ANSWERS_BEFORE = 200
// One after the other without a pause would measure what follows from the answer before.
const BETWEEN_MS = 20
const PROCESSES = 4
const HELD_IN_ALL = 10_000
const AT_ONCE = 8

/** Several Beckons on one PostgreSQL server of this machine, which shares its cores with them. */
export async function measurePostgres(): Promise<Row[]> {
  if (!postgresPrograms()) {
    console.log(`postgres: passed over. ${NO_POSTGRES}`)
    return []
  }
  await using cluster = await startCluster()
  await using admin = new SQL(cluster.url(), { max: 1 })
  const make = async (name: string) => {
    await admin.unsafe(`create database ${name}`)
    return cluster.url(name)
  }
  return [
    ...(await measureAsks(await make('asks'), await make('bare'))),
    ...(await measureWakes(await make('wakes'), await make('barewakes'))),
    ...(await measureMany(await make('many'))),
  ]
}

async function measureAsks(url: string, bareUrl: string): Promise<Row[]> {
  await using beckon = await startBeckon({ BECKON_DATABASE_URL: url })
  await using embedded = await startBeckon()
  await using bare = await startMeasured(() => [
    ...[process.execPath, 'test/long/bench/servers/raw-postgres.ts', bareUrl],
  ])
  const body = askMessage({ wait: false })
  const figures: Record<'beckon' | 'embedded' | 'bare', number[]> = {
    beckon: [],
    embedded: [],
    bare: [],
  }
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const rates = {
      beckon: await asksPerSecond(beckon.url + MCP_PATH, body, beckon.tokens),
      embedded: await asksPerSecond(embedded.url + MCP_PATH, body, embedded.tokens),
      bare: await asksPerSecond(bare.url, body),
    }
    if (round < WARM_UP) continue
    for (const name of ['beckon', 'embedded', 'bare'] as const) figures[name].push(rates[name])
  }
  const ours = median(figures.beckon)
  const row = (name: 'embedded' | 'bare', beside: string, must?: Row['must']): Row => ({
    what: 'PostgreSQL: ask_user, wait:false, 32 connections, one process',
    figure: `${Math.round(ours)}/s`,
    beside: `${beside}: ${Math.round(median(figures[name]))}/s`,
    ratio: ours / median(figures[name]),
    must,
  })
  return [
    row('bare', 'a bare transaction with one insert, same driver', { atLeast: 0.6 }),
    row('embedded', 'for information: the same on SQLite'),
  ]
}

/** A question that is held at A and answered at B, with a thousand held at each. */
async function measureWakes(url: string, bareUrl: string): Promise<Row[]> {
  const ours = await wakesOfBeckon(url)
  const bare = await wakesOfBare(bareUrl)
  const what = 'PostgreSQL: answer at B → reply at A, 1,000 held at each'
  const row = (share: number, most: number): Row => ({
    what: `${what}, p${share * 100} in ms`,
    figure: `${at(ours.whole, share).toFixed(1)} ms (after the reply at B: ${at(ours.wakes, share).toFixed(1)} ms)`,
    beside: `two bare servers, one update, NOTIFY and one read: ${at(bare.whole, share).toFixed(1)} ms`,
    ratio: at(ours.whole, share),
    must: { atMost: most },
  })
  return [row(0.5, 3), row(0.99, 25)]
}

async function wakesOfBeckon(url: string): Promise<Wakes> {
  await using house = await openHouse(url, 2)
  const [a, b] = house.servers as [Beckon, Beckon]
  const atA = await holdMany(withTokens(a), HELD_EACH)
  const ids = await pendingIn(url, HELD_EACH)
  const atB = await holdMany(withTokens(b), HELD_EACH, 'b')
  await pendingIn(url, 2 * HELD_EACH)
  const person = await signIn(b)
  const arrivals = new Map(ids.map((id) => [id, Promise.withResolvers<unknown>()]))
  for (const call of atA) {
    const arrived = (text: string) => {
      const id = /q_[0-9a-z]{25}/.exec(text)?.[0]
      if (id) arrivals.get(id)?.resolve(text)
    }
    call.result.then(arrived, () => {})
  }
  const wakes = await answerEach(ids, person.answer, (id) => arrivals.get(id)?.promise)
  for (const call of [...atA, ...atB]) call.close()
  return wakes
}

/** The same with servers that do nothing else, so that the driver, HTTP and the machine are known. */
async function wakesOfBare(url: string): Promise<Wakes> {
  const start = () =>
    startMeasured(() => [process.execPath, 'test/long/bench/servers/raw-wake.ts', url])
  await using a = await start()
  await using b = await start()
  const idsOf = (name: string) => Array.from({ length: HELD_EACH }, (_, n) => `${name}${n}`)
  const holdAt = async (server: Measured, ids: readonly string[]) => {
    const calls: HeldCall[] = []
    for (const id of ids) calls.push(await hold(new URL(`${server.url}/hold/${id}`), {}, ''))
    return calls
  }
  const ids = idsOf('a')
  const atA = await holdAt(a, ids)
  const atB = await holdAt(b, idsOf('b'))
  const results = new Map(ids.map((id, n) => [id, atA[n]?.result]))
  const answer = async (id: string) => {
    const body = JSON.stringify({ value: 'yes' })
    await (await fetch(`${b.url}/answer/${id}`, { method: 'POST', body })).text()
  }
  const wakes = await answerEach(ids, answer, (id) => results.get(id))
  for (const call of [...atA, ...atB]) call.close()
  return wakes
}

/** Milliseconds from an answer to its reply at the other server, and from the answer's own reply. */
type Wakes = { whole: number[]; wakes: number[] }

async function answerEach(
  ids: readonly string[],
  answer: (id: string) => Promise<void>,
  arrival: (id: string) => Promise<unknown> | undefined,
): Promise<Wakes> {
  const whole: number[] = []
  const wakes: number[] = []
  for (const [n, id] of ids.slice(0, ANSWERS_BEFORE + ANSWERS).entries()) {
    await Bun.sleep(BETWEEN_MS)
    const sentAt = performance.now()
    const arrivedAt = arrival(id)?.then(() => performance.now())
    await answer(id)
    const answeredAt = performance.now()
    const arrived = (await arrivedAt) ?? Number.NaN
    if (n < ANSWERS_BEFORE) continue
    whole.push(arrived - sentAt)
    // The person at B is told once it is recorded; A may be quicker than that reply.
    wakes.push(Math.max(0, arrived - answeredAt))
  }
  return { whole, wakes }
}

function at(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

/** Ten thousand held over four processes: all wake when one of the four ends their questions. */
async function measureMany(url: string): Promise<Row[]> {
  await using house = await openHouse(url, PROCESSES)
  const calls: HeldCall[] = []
  for (const [n, one] of house.servers.entries()) {
    calls.push(...(await holdMany(withTokens(one), HELD_IN_ALL / PROCESSES, `p${n}`)))
  }
  const person = await signIn(house.servers[0] as Beckon)
  const startedAt = performance.now()
  const ids = await pendingIn(url, HELD_IN_ALL)
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => person.answer(id)))
  }
  const woken = await Promise.allSettled(calls.map((call) => call.result))
  const seconds = (performance.now() - startedAt) / 1_000
  const awake = woken.filter(
    (one) => one.status === 'fulfilled' && one.value.includes('answered'),
  ).length
  for (const call of calls) call.close()
  return [
    {
      what: 'PostgreSQL: 10,000 held over four processes, answered at one: share that wakes',
      figure: `${awake} of ${HELD_IN_ALL}`,
      beside: `all answered and awake in ${seconds.toFixed(1)} s`,
      ratio: awake / HELD_IN_ALL,
      must: { atLeast: 1 },
    },
  ]
}

/** So many processes on one database, and one browser, so that asks are sent to somebody and wait. */
async function openHouse(url: string, count: number) {
  const pushes = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(null, { status: 201 }),
  })
  const env = { BECKON_DATABASE_URL: url, BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const servers = [await startBeckon(env)]
  const tokens = servers[0]?.tokens ?? []
  while (servers.length < count) servers.push(await startBeckon(env, undefined, tokens))
  await connectDevices(servers[0] as Beckon, [`${pushes.url.origin}/push`])
  return {
    servers,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((one) => one[Symbol.asyncDispose]()))
      await pushes.stop(true)
    },
  }
}

function withTokens(beckon: Beckon) {
  return Object.assign(beckon, { token: inTurn(beckon.tokens) })
}

/** The open questions, once there are `count`: a held call says something before it is recorded. */
async function pendingIn(url: string, count: number): Promise<string[]> {
  await using sql = new SQL(url, { max: 1 })
  for (;;) {
    const rows: Array<{ id: string }> = await sql`select id from questions where status = 'pending'`
    if (rows.length >= count) return rows.map(({ id }) => id)
    await Bun.sleep(100)
  }
}
