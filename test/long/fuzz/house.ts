import { insertPerson, putPassword } from '../../../src/ask/accounts/model/person-store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { createLog } from '../../../src/platform/log.ts'
import { JSON_BODY } from '../../ask/http/who/rows.ts'
import { type WhoWorld, whoWorld } from '../../ask/http/who/world.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { passwordHash, signInAs } from '../../support/sign-in.ts'
import { until } from '../../support/until.ts'

/** The whole server with a catalog, and whatever its log complains about. */
export type House = {
  world: WhoWorld
  url: string
  /** A token of an agent, another one each time: none is counted as too fast. */
  bearer(): { authorization: string }
  /** Somebody new who is signed in, for what ends sessions. */
  guest(): Promise<Record<string, string>>
  /** Throws when the server logged a fault since the last look. */
  quiet(): void
}

// 6,000 calls a minute are one token's; no run here is as fast as all of these together.
const TOKENS = 60

let opened: Promise<{ house: House; close(): PromiseLike<void> }> | undefined

/** One for the whole run: it takes a second to furnish. */
export async function house(): Promise<House> {
  opened ??= furnish()
  const { house } = await opened
  return house
}

const besides: AsyncDisposable[] = []

/** Something that a target opened for itself, closed with the house. */
export function alsoClosed<T extends AsyncDisposable>(opened: T): T {
  besides.push(opened)
  return opened
}

export async function closeHouse(): Promise<void> {
  for (const one of besides.splice(0)) await one[Symbol.asyncDispose]()
  const target = await opened
  opened = undefined
  await target?.close()
}

async function furnish() {
  const faults: string[] = []
  const log = createLog({ format: 'json', level: 'warn', write: (line) => faults.push(line) })
  // Nobody outside is asked anything: what is not refused here is refused by the guard.
  const env = {
    ...{ BECKON_CATALOG_RATE_LIMIT: 'off', BECKON_CATALOG_PROBES: 'off' },
    ...{ BECKON_SLACK_API_URL: 'http://127.0.0.1:9', BECKON_VAPID_SUBJECT: 'mailto:a@example.com' },
  }
  const world = await whoWorld(env, log)
  const { db, url } = world.app
  await publish({ db, clock }, await exampleCatalog())
  await until(async () => (await fetch(`${url}/api/v1/tools.json`)).ok)
  const workspaceId = 'ws_home' as const
  const tokens = await Promise.all(
    Array.from({ length: TOKENS }, (_, at) =>
      createToken({ db, clock }, { workspaceId, name: `t${at}`, test: true }),
    ),
  )
  let next = 0
  let guests = 0
  const hash = await passwordHash()
  async function guest() {
    const id = `guest${++guests}`
    const email = `${id}@example.org`
    await db.write(async (tx) => {
      const person = { ...{ id, name: id, email, workspaceId }, role: 'owner' as const }
      await insertPerson(tx, person, clock.now())
      await putPassword(tx, { id, personId: id, hash }, clock.now())
    })
    return { cookie: await signInAs(world.app, id), origin: url }
  }
  const it: House = {
    ...{ world, url, guest },
    bearer: () => ({ authorization: `Bearer ${tokens[next++ % TOKENS]?.token}` }),
    quiet() {
      const [fault] = faults.splice(0)
      if (fault) throw new Error(`the server logged a fault: ${fault}`)
    },
  }
  return { house: it, close: () => world[Symbol.asyncDispose]() }
}

/** One POST of text that is JSON, or says that it is. */
export function postJson({ url }: House, path: string, body: string, headers: object) {
  return fetch(url + path, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body })
}
