import { expect, test } from 'bun:test'
import { leaseOf, passForLease } from '../../postgres/lease-watch.ts'
import { PROBING, probedCatalog } from '../../postgres/probed-catalog.ts'
import { postgresPrograms } from '../../support/postgres-cluster.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { until } from '../../support/until.ts'

const LEASE_MS = 10 * 60_000
const INTERVALS = 3

// They look once a minute, and begin twenty seconds after their start.
const untilALook = (isSo: () => Promise<boolean>) => until(isSo).catch(() => until(isSo))

test.skipIf(!postgresPrograms())(
  'of three servers one measures the catalog in each interval; after kill -9 another goes on',
  async () => {
    await using probed = await probedCatalog()
    const { world, watch, vendor } = probed
    const { sql } = world
    const tried = async (many: number) => (await watch.triedBy(PROBING)).length === many
    await probed.start(3)
    for (let n = 1; n <= INTERVALS; n++) {
      // All of them find that it is time, while one is asking already.
      vendor.hold()
      await watch.forget()
      await sql`update catalog_probe_times set due_at = 0`
      await untilALook(() => tried(3))
      await until(() => vendor.requests.length > 0)
      vendor.release()
      await until(async () => (await probed.stored()).every((stored) => stored === n))
      await until(async () => (await leaseOf(sql, PROBING)) === undefined)
      expect(probed.asked()).toEqual({ each: [n, n, n], by: expect.anything() })
    }

    vendor.hold()
    vendor.requests.length = 0
    await sql`update catalog_probe_times set due_at = 0`
    await untilALook(async () => vendor.requests.length > 0)
    const [asking] = vendor.requests.map(({ pid }) => pid)
    const own = await leaseOf(sql, PROBING)
    expect(own?.until).toBeLessThanOrEqual(Date.now() + LEASE_MS)
    const killed = probed.servers.find(({ pid }) => pid === asking) as ServerProcess
    await killed.end('SIGKILL')
    vendor.release()

    // The other two find that it is time, and that the one which is gone has the lease.
    await watch.forget()
    await untilALook(() => tried(2))
    expect(await leaseOf(sql, PROBING)).toEqual(own)
    expect(vendor.requests.filter(({ pid }) => pid !== asking)).toEqual([])
    vendor.requests.length = 0
    await passForLease(sql, PROBING, LEASE_MS)
    await untilALook(async () => (await probed.stored()).every((n) => n === INTERVALS + 1))
    const { each, by } = probed.asked()
    expect([each, by.length]).toEqual([[1, 1, 1], 1])
  },
  600_000,
)
