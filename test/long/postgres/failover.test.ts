import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { migratePostgres } from '../../../src/platform/db/postgres/migrate.ts'
import { openHouse } from '../../postgres/house.ts'
import { postgresPrograms, startCluster } from '../../support/postgres-cluster.ts'
import { SEED } from '../../support/seed.ts'
import { seeded } from '../crash/random.ts'
import { beginLoad } from './load.ts'
import { openRelay } from './relay.ts'
import { startStandby } from './standby.ts'

setDefaultTimeout(240_000)

for (const how of ['synchronous', 'asynchronous'] as const) {
  test.skipIf(!postgresPrograms())(
    `the primary is lost, and the ${how} standby takes its place, with seed ${SEED}`,
    async () => {
      await using cluster = await startCluster()
      await onServer(cluster.url(), (sql) => sql.unsafe('create database beckon'))
      await migratePostgres(cluster.url('beckon'))
      await using relay = await openRelay(cluster.port)
      await using standby = await startStandby(cluster)
      if (how === 'synchronous') {
        await onServer(cluster.url(), async (sql) => {
          await sql.unsafe("alter system set synchronous_standby_names = '*'")
          await sql.unsafe('select pg_reload_conf()')
        })
      }
      await using house = await openHouse({
        database: `postgres://beckon@127.0.0.1:${relay.port}/beckon`,
        processes: 2,
        envOf: () => ({ BECKON_TOKEN_LIMIT_FACTOR: '1000' }),
      })
      const load = beginLoad(house, how, seeded(SEED))
      await Bun.sleep(3_000)
      await cluster.kill()
      await standby.promote()
      // The name leads to the new primary, as a provider's does.
      relay.turnTo(standby.port)
      await Bun.sleep(3_000)
      load.stop()
      // What was lost is never heard of: those waits are not awaited.
      await Promise.race([load.done, Bun.sleep(60_000)])
      const { askIds, answered, heard, wrong, refused } = load.ledger
      const rows = await onServer(standby.url('beckon'), (sql) =>
        sql.unsafe('select id, question, value from questions where question like $1', [
          `${how}-%`,
        ]),
      )
      const stored = new Map(
        (rows as Array<{ id: string; question: string; value: string }>).map((row) => [
          row.id,
          row,
        ]),
      )
      expect(stored.size).toBe(new Set([...stored.values()].map(({ question }) => question)).size)
      const lost = [...askIds].filter(([, id]) => !stored.has(id))
      const lostAnswers = [...answered].filter(
        ([id, { value }]) => stored.has(id) && stored.get(id)?.value !== value,
      )
      console.log(
        `  ${how}: ${askIds.size} asked, ${answered.size} answered, ${lost.length} questions and ${lostAnswers.length} answers lost, refused ${JSON.stringify([...refused])}`,
      )
      if (how === 'asynchronous') return
      expect({ lost, lostAnswers, wrong }).toEqual({ lost: [], lostAnswers: [], wrong: [] })
      for (const [key, id] of askIds) expect(heard.get(id)?.value).toBe(`v-${key}`)
    },
  )
}

async function onServer<T>(url: string, work: (sql: SQL) => Promise<T>): Promise<T> {
  await using sql = new SQL(url, { max: 1 })
  return await work(sql)
}
