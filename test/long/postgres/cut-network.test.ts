import { expect, test } from 'bun:test'
import { rest, type ServersWorld, serversWorld } from '../../postgres/servers-world.ts'
import { NO_POSTGRES, postgresPrograms } from '../../support/postgres-cluster.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { until } from '../../support/until.ts'
import { type Namespace, openNamespace, whyNoNamespaces } from './namespace.ts'

const why = postgresPrograms() ? await whyNoNamespaces() : NO_POSTGRES
if (why !== undefined) console.warn(`The network is not cut: ${why}.`)

const ASKERS = 4
const HELD = 10
// docs/postgres.md: a call of several steps.
const REFUSED_WITHIN_MS = 20_000
// What two busy cores add to that.
const SLACK_MS = 5_000

/** A server in a namespace of its own, another one beside the database, and who asks them. */
type Ground = AsyncDisposable & {
  world: ServersWorld
  namespace: Namespace
  far: ServerProcess
  near: ServerProcess
  owner: Record<string, string>
  /** The processes of PostgreSQL that serve the far one; those that tell it of changes alone. */
  backends(listening?: boolean): Promise<number[]>
}

async function openGround(): Promise<Ground> {
  await using opened = new AsyncDisposableStack()
  const namespace = opened.use(await openNamespace())
  const addresses = { listen_addresses: `127.0.0.1,${namespace.gateway}` }
  const world = opened.use(await serversWorld(addresses))
  const url = new URL(world.url)
  url.hostname = namespace.gateway
  const env = { BECKON_DATABASE_URL: url.href, BECKON_HOST: namespace.address }
  const far = await world.server(env, namespace.inside)
  const near = await world.server()
  const owner = await world.signIn(near)
  const owned = opened.move()
  return {
    ...{ world, namespace, far, near, owner },
    async backends(listening = false) {
      const rows: Array<{ pid: number; query: string }> = await world.sql`
        select pid, query from pg_stat_activity where client_addr = ${namespace.source}::inet`
      return rows.filter(({ query }) => !listening || /^LISTEN/i.test(query)).map(({ pid }) => pid)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Asks in a call that is held, and again under its key until there is an answer. */
async function answerTo({ world, far }: Ground, question: string): Promise<unknown> {
  for (;;) {
    const body = { question, requestId: question, wait: true, timeoutMs: 55_000 }
    const reply = await rest(far, '/questions', body, world.agent)
    if (reply.body.answered) return reply.body.value
    if (reply.status !== 503 && reply.status >= 300) throw new Error(JSON.stringify(reply))
  }
}

/** Begins so many held calls at the far server, and gives their questions once they are stored. */
async function hold(ground: Ground, name: string) {
  const questions = Array.from({ length: HELD }, (_, n) => `Held ${name} ${n}?`)
  const values = Promise.all(questions.map((question) => answerTo(ground, question)))
  let ids: string[] = []
  await until(async () => {
    const rows: Array<{ id: string }> = await ground.world.sql`
      select id from questions where question like ${`Held ${name} %`}`
    ids = rows.map(({ id }) => id)
    return ids.length === HELD
  })
  return { ids, values }
}

/** Answers all of them at the near server. */
async function answer({ near, owner }: Ground, ids: readonly string[]) {
  for (const id of ids) {
    const { status } = await rest(near, `/questions/${id}/answer`, { value: 'yes' }, owner)
    expect(status).toBe(200)
  }
}

/** Agents that ask at a server, each question under its key until it is acknowledged. */
function beginAsking({ world }: Ground, server: ServerProcess, name: string) {
  const acknowledged = new Map<string, string>()
  const refused: Array<{ status: number; ms: number; reply: object }> = []
  let isOver = false
  const askers = Array.from({ length: ASKERS }, async (_, asker) => {
    for (let n = 0; !isOver; n++) {
      const question = `Asked ${name} ${asker}-${n}?`
      const body = { question, requestId: question, wait: false }
      for (;;) {
        const began = performance.now()
        const { status, body: reply } = await rest(server, '/questions', body, world.agent)
        if (status === 200) {
          acknowledged.set(question, String(reply.correlationId))
          break
        }
        if (isOver) return
        refused.push({ status, ms: performance.now() - began, reply })
      }
    }
  })
  return {
    acknowledged,
    refused,
    async end() {
      isOver = true
      await Promise.all(askers)
    },
  }
}

const readiness = async ({ url }: ServerProcess) => (await fetch(`${url}/readyz`)).status

for (const how of ['goes on', 'is forgotten by the server of the database'] as const) {
  test.skipIf(why !== undefined)(
    `the network is cut; afterwards what was connected ${how}`,
    async () => {
      await using ground = await openGround()
      const { namespace, far, near, world } = ground
      const held = await hold(ground, 'before')
      const asking = beginAsking(ground, far, 'far')
      // With the same token, whose counts are locked by what was under way.
      const beside = beginAsking(ground, near, 'near')
      await until(() => asking.acknowledged.size > 50)
      const before = await ground.backends(true)
      expect(before).toHaveLength(1)

      await namespace.down()
      await until(async () => (await readiness(far)) === 503)
      await until(() => asking.refused.length >= ASKERS)
      expect((await fetch(`${far.url}/healthz`)).status).toBe(200)
      expect(await readiness(near)).toBe(200)
      await answer(ground, held.ids)
      if (how !== 'goes on') await namespace.forgetConnections()
      const slowest = Math.max(...asking.refused.map(({ ms }) => ms))
      const refused = [...asking.refused, ...beside.refused]
      expect(refused.filter(({ status }) => status !== 503)).toEqual([])
      expect(slowest).toBeLessThan(REFUSED_WITHIN_MS + SLACK_MS)

      await namespace.up()
      const upAt = performance.now()
      const since = () => `${((performance.now() - upAt) / 1_000).toFixed(1)} s`
      const says: string[] = [`refused after ${(slowest / 1_000).toFixed(1)} s at most`]
      await Promise.all([
        until(async () => (await readiness(far)) === 200).then(() => says.push(`ready ${since()}`)),
        held.values.then((values) => {
          says.push(`held calls woken ${since()}`)
          expect(values).toEqual(Array(HELD).fill('yes'))
        }),
        until(async () => {
          const now = await ground.backends(true)
          const isNew = now.length === 1 && now[0] !== before[0]
          return how === 'goes on' ? now.length === 1 : isNew
        }).then(() => says.push(`listens ${since()}`)),
      ])
      const count = asking.acknowledged.size
      await until(() => asking.acknowledged.size > count + 50)
      await asking.end()
      await beside.end()
      const after = await hold(ground, 'after')
      const answered = performance.now()
      await answer(ground, after.ids)
      expect(await after.values).toEqual(Array(HELD).fill('yes'))
      says.push(`${HELD} woken ${Math.round(performance.now() - answered)} ms after that`)

      const rows: Array<{ id: string; question: string }> = await world.sql`
        select id, question from questions where question like 'Asked %'`
      const stored = Map.groupBy(rows, ({ question }) => question)
      expect([...stored.values()].filter((same) => same.length > 1)).toEqual([])
      for (const [question, id] of [...asking.acknowledged, ...beside.acknowledged])
        expect({ question, id: stored.get(question)?.[0]?.id }).toEqual({ question, id })
      const near503 = `${beside.refused.length} of ${beside.acknowledged.size}`
      console.log(`  ${says.join(', ')}; refused at the near one ${near503}`)
    },
    240_000,
  )
}

test.skipIf(why !== undefined)(
  'a machine is gone without a word: PostgreSQL keeps nothing open for it',
  async () => {
    await using ground = await openGround()
    const asking = beginAsking(ground, ground.far, 'far')
    await until(() => asking.acknowledged.size > 50)
    expect((await ground.backends()).length).toBeGreaterThan(2)
    await ground.namespace.down()
    await ground.far.end('SIGKILL')
    const goneAt = performance.now()
    const isOver = async () => (await ground.backends()).length === 0
    await until(isOver).catch(() => until(isOver))
    console.log(`  noticed after ${Math.round((performance.now() - goneAt) / 1_000)} s`)
    await asking.end()
  },
  240_000,
)
