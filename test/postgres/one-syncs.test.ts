import { expect, test } from 'bun:test'
import { originServer } from '../catalog/mirror/mirror-world.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { countingServer } from './counting-server.ts'
import { leaseOf, passForLease, watchLeases } from './lease-watch.ts'
import { serversWorld } from './servers-world.ts'

const LEASE = 'catalog_mirror'
const LEASE_MS = 5 * 60_000

test('of three servers one fetches a mirrored catalog, and after kill -9 another', async () => {
  await using world = await serversWorld()
  const { sql } = world
  await using origin = await originServer(generatedCatalog(2))
  const servers: ServerProcess[] = []
  await using door = countingServer(
    () => servers.map(({ pid }) => pid),
    ({ url, headers }) => {
      const tag = headers.get('if-none-match')
      const conditions = { 'accept-encoding': 'identity', ...(tag && { 'if-none-match': tag }) }
      return fetch(origin.url + new URL(url).pathname, { headers: conditions, redirect: 'manual' })
    },
  )
  await world.command('catalog', 'mirror', '--from', door.url)
  servers.push(...(await Promise.all([world.server(), world.server(), world.server()])))
  const watch = await watchLeases(sql)
  const { sequence } = await origin.publish(generatedCatalog(3))

  door.hold()
  door.requests.length = 0
  // The hour is over.
  await sql`update catalog_mirrors set next_at = 0`
  await until(async () => (await watch.triedBy(LEASE)).length === 3 && door.requests.length > 0)
  const own = await leaseOf(sql, LEASE)
  const [asking, ...others] = [...new Set(door.requests.map(({ pid }) => pid))]
  expect([others, await watch.heldBy(LEASE)]).toEqual([[], [own?.holder as string]])
  const killed = servers.find(({ pid }) => pid === asking) as ServerProcess
  await killed.end('SIGKILL')
  const alive = servers.filter((one) => one !== killed)

  // What it had fetched is not there yet, and they leave it alone as long as its lease lasts.
  const tries = async () =>
    (await sql`select count(*)::int n from watch.leases where what = 'tried'`)[0].n
  const before = await tries()
  await until(async () => (await tries()) > before + 1)
  expect(await leaseOf(sql, LEASE)).toEqual(own)
  expect(door.requests.filter(({ pid }) => pid !== asking)).toEqual([])
  await passForLease(sql, LEASE, LEASE_MS)
  await until(() => door.requests.some(({ pid }) => pid !== asking))
  door.release()
  const readMirrorHeader = async ({ url }: ServerProcess) =>
    (await fetch(`${url}/api/v1/manifest.json`)).headers.get('catalog-mirror') ?? ''
  await until(async () =>
    (await Promise.all(alive.map(readMirrorHeader))).every((header) =>
      header.includes(`sequence=${sequence},`),
    ),
  )
  await until(async () => (await leaseOf(sql, LEASE)) === undefined)
  const second = new Set(door.requests.map(({ pid }) => pid).filter((pid) => pid !== asking))
  expect([second.size, (await watch.heldBy(LEASE)).length]).toEqual([1, 2])
  expect(alive.map(({ pid }) => pid)).toContain([...second][0] as number)
}, 120_000)
