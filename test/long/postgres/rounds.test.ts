import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SQL } from 'bun'
import { migratePostgres } from '../../../src/platform/db/postgres/migrate.ts'
import { asAgent, type House, openHouse } from '../../postgres/house.ts'
import { type Cluster, postgresPrograms, startCluster } from '../../support/postgres-cluster.ts'
import { SEED } from '../../support/seed.ts'
import { type Random, seeded } from '../crash/random.ts'
import { beginLoad, type Ledger } from './load.ts'
import { PGBOUNCER, type Pooler, startPgbouncer } from './pgbouncer.ts'
import { openRelay, type Relay } from './relay.ts'

setDefaultTimeout(180_000)

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 30)
// Longer than Beckon gives the database.
const SILENT_MS = 11_500
// A look every five seconds, and the time that a machine with two cores needs to calm down.
const WOKEN_MS = 20_000
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

type Ground = { cluster: Cluster; relay: Relay; pooler: Pooler | undefined; house: House }
type Fault = (ground: Ground, random: Random) => Promise<void>

const FAULTS: Record<string, Fault> = {
  async 'a Beckon is killed'({ house }, random) {
    const n = random.between(0, house.beckons.length - 1)
    await house.beckons[n]?.end('SIGKILL')
    await Bun.sleep(500)
    await house.restart(n)
  },
  async 'every Beckon is restarted, one after the other'({ house }) {
    for (const [n, one] of house.beckons.entries()) {
      await one.end('SIGTERM')
      await house.restart(n)
    }
  },
  async 'a Beckon stands still'({ house }, random) {
    const pid = random.pick(house.beckons)?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await Bun.sleep(random.between(500, 6_000))
    process.kill(pid, 'SIGCONT')
  },
  async 'PostgreSQL is killed'({ cluster }, random) {
    await cluster.kill()
    await Bun.sleep(random.between(0, 2_000))
    await startAgain(cluster)
  },
  async 'PostgreSQL is restarted'({ cluster }) {
    await cluster.stop('fast')
    await startAgain(cluster)
  },
  async 'PostgreSQL stands still'({ cluster }) {
    const all = [cluster.pid(), ...childrenOf(cluster.pid())]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    await Bun.sleep(SILENT_MS)
    for (const pid of all) process.kill(pid, 'SIGCONT')
  },
  async 'the way to PostgreSQL is cut for a while'({ relay }) {
    relay.cut()
    await Bun.sleep(SILENT_MS)
    relay.restore('mend')
  },
  async 'every connection to PostgreSQL falls silent for good'({ relay }, random) {
    relay.cut()
    await Bun.sleep(random.between(0, 1_000))
    relay.restore('leave')
  },
  async 'the listeners alone are ended'({ cluster }) {
    await withSql(cluster, (sql) =>
      sql.unsafe(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'beckon changes'",
      ),
    )
  },
}

for (const [way, isPooled] of [
  ['directly', false],
  ['through pgbouncer in transaction mode', true],
] as const) {
  const isThere = postgresPrograms() && (!isPooled || PGBOUNCER)
  describe.skipIf(!isThere)(`three Beckons reach PostgreSQL ${way}`, () => {
    let stack: AsyncDisposableStack | undefined
    let ground: Ground | undefined
    afterAll(() => stack?.disposeAsync())

    async function opened(): Promise<Ground> {
      if (ground) return ground
      stack = new AsyncDisposableStack()
      const cluster = stack.use(await startCluster())
      await withSql(cluster, (sql) => sql.unsafe('create database beckon'))
      await migratePostgres(cluster.url('beckon'))
      const relay = stack.use(await openRelay(cluster.port))
      const direct = `postgres://beckon@127.0.0.1:${relay.port}/beckon`
      const pooler = isPooled ? stack.use(await startPgbouncer(relay.port)) : undefined
      const house = stack.use(
        await openHouse({
          ...(pooler ? { database: pooler.url('beckon'), direct } : { database: direct }),
          processes: 3,
          // A second and a half apart from each other: below what the start warns of.
          envOf: (n) => ({ ...clockOf(n), BECKON_TOKEN_LIMIT_FACTOR: '1000' }),
        }),
      )
      ground = { cluster, relay, pooler, house }
      return ground
    }

    const half = Math.ceil(ROUNDS / 2)
    const names = Object.keys(FAULTS)
    for (let n = 0; n < half; n++) {
      const seed = SEED + (isPooled ? half : 0) + n
      const random = seeded(seed)
      // Each fault comes first once, then as the seed has it.
      const name = (n < names.length ? names[n] : random.pick(names)) as string
      test(`round ${n}, seed ${seed}: ${name}`, async () => {
        const at = await opened()
        const load = beginLoad(at.house, `${way}-${n}`, random)
        await Bun.sleep(random.between(800, 1_500))
        await FAULTS[name]?.(at, random)
        const over = Date.now()
        await Bun.sleep(800)
        load.stop()
        await load.done
        const slowest = await judge(at, load.ledger, `${way}-${n}`, over)
        const { askIds, refused } = load.ledger
        console.log(
          `  ${askIds.size} asked, refused ${JSON.stringify([...refused])}, slowest wake ${slowest} ms after answer and fault`,
        )
      })
    }
  })
}

/** Holds what callers were told against what is stored; the slowest wake in milliseconds. */
async function judge({ cluster, house }: Ground, ledger: Ledger, prefix: string, over: number) {
  expect(ledger.wrong).toEqual([])
  expect(ledger.askIds.size).toBeGreaterThan(5)
  const rows = await withSql(cluster, (sql) =>
    sql.unsafe('select id, question, status, value from questions where question like $1', [
      `${prefix}-%`,
    ]),
  )
  const byKey = Map.groupBy(rows as Row[], ({ question }) => question)
  let slowest = 0
  for (const [key, id] of ledger.askIds) {
    const stored = byKey.get(key) ?? []
    const value = `v-${key}`
    expect(stored).toEqual([{ id, question: key, status: 'answered', value }])
    const heard = ledger.heard.get(id)
    expect({ key, heard: heard?.value }).toEqual({ key, heard: value })
    const since = Math.max(ledger.answered.get(id)?.at ?? 0, over)
    slowest = Math.max(slowest, (heard?.at ?? 0) - since)
  }
  expect([...byKey.values()].filter((same) => same.length > 1)).toEqual([])
  expect(slowest).toBeLessThan(WOKEN_MS)
  // Nobody is left waiting at any of them.
  for (const { url } of house.beckons)
    expect((await asAgent(house, url, '/agent')).status).toBe(200)
  return slowest
}

/** What is left of a server that was killed may hold its memory for a moment. */
async function startAgain(cluster: Cluster): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await cluster.start()
    } catch (error) {
      if (tries === 5) throw error
      await Bun.sleep(500)
    }
  }
}

type Row = { id: string; question: string; status: string; value: string }

async function withSql<T>(cluster: Cluster, work: (sql: SQL) => Promise<T>): Promise<T> {
  const name = 'beckon'
  const maintenance = new SQL(cluster.url(), { max: 1 })
  const [row] = await maintenance.unsafe('select 1 from pg_database where datname = $1', [name])
  if (!row) {
    await using sql = maintenance
    return await work(sql)
  }
  await maintenance.close()
  await using sql = new SQL(cluster.url(name), { max: 1 })
  return await work(sql)
}

function clockOf(n: number): Record<string, string> {
  if (n === 0 || !existsSync(FAKETIME)) return {}
  const FAKE = { LD_PRELOAD: FAKETIME, DONT_FAKE_MONOTONIC: '1' }
  return { ...FAKE, FAKETIME: n === 1 ? '+0.75s' : '-0.75s' }
}

function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
  return stdout.toString().trim().split(/\s+/).map(Number)
}
