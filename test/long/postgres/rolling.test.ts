import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migratePostgres } from '../../../src/platform/db/postgres/migrate.ts'
import { openHouse } from '../../postgres/house.ts'
import { connect } from '../../support/devices.ts'
import { postgresPrograms, startCluster } from '../../support/postgres-cluster.ts'
import { pushServer } from '../../support/push-server.ts'
import { SEED } from '../../support/seed.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { seeded } from '../crash/random.ts'
import { beginCallers } from './callers.ts'

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 2)

test.skipIf(!postgresPrograms())(
  `three Beckons behind nginx are restarted in turn under load, as docs/postgres.md says (seed ${SEED})`,
  async () => {
    await using cluster = await startCluster()
    using folder = tempFolder()
    await using sql = new SQL(cluster.url(), { max: 1 })
    await sql.unsafe('create database beckon')
    await migratePostgres(cluster.url('beckon'))
    await using push = await pushServer()
    await using house = await openHouse({
      database: cluster.url('beckon'),
      processes: 3,
      envOf: () => ({ BECKON_TOKEN_LIMIT_FACTOR: '1000', BECKON_DRAIN_SECONDS: '3' }),
    })
    const { workspaceId, id: personId } = house.owner
    await connect(house.db, { workspaceId, personId, kind: 'phone', ...push.subscribe('phone') })
    await using callers = await beginCallers(house, folder.path, seeded(SEED))
    const { askIds, heard, failed } = callers
    const goesOn = async () => {
      const before = [askIds.size, heard.size] as const
      await until(() => askIds.size > before[0] + 20 && heard.size > before[1] + 20)
    }
    await goesOn()
    for (let n = 0; n < ROUNDS * house.beckons.length; n++) {
      const place = n % house.beckons.length
      await house.turnAway(place)
      expect((await house.beckons[place]?.end('SIGTERM'))?.code).toBe(0)
      await goesOn()
      await house.restart(place)
      await house.turnAway(undefined)
      const { url = '' } = house.beckons[place] ?? {}
      await until(async () =>
        /^beckon_questions_opened_total\{.*\} [1-9]/m.test(
          await (await fetch(`${url}/metrics`)).text(),
        ),
      )
      await goesOn()
    }
    await callers.stop()
    const stored = await storedOf(cluster.url('beckon'))
    const twice = [...stored].filter(([, rows]) => rows.length > 1).map(([question]) => question)
    console.log(
      `  ${askIds.size} asked, ${heard.size} held, ${callers.resumed()} times one was taken up at another, ${callers.reconnected()} connected again`,
    )
    expect([failed, twice]).toEqual([[], []])
    for (const [question, id] of askIds) expect(stored.get(question)?.[0]?.id).toBe(id)
    for (const [question, value] of heard) {
      expect([value, stored.get(question)?.[0]?.value]).toEqual([`v ${question}`, `v ${question}`])
    }
  },
  400_000,
)

async function storedOf(url: string) {
  await using sql = new SQL(url, { max: 1 })
  const rows: Array<{ id: string; question: string; value: string | null }> =
    await sql`select id, question, value from questions`
  return Map.groupBy(rows, ({ question }) => question)
}
