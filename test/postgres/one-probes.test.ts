import { expect, test } from 'bun:test'
import { until } from '../support/until.ts'
import { leaseOf } from './lease-watch.ts'
import { PROBING, probedCatalog } from './probed-catalog.ts'

test('of three servers that look at the same time one measures the catalog', async () => {
  await using probed = await probedCatalog()
  const { world, watch, vendor } = probed
  vendor.hold()
  await probed.start(3)
  // They look twenty seconds after their start; the one that asks hears nothing yet.
  await until(async () => (await watch.triedBy(PROBING)).length === 3)
  await until(() => vendor.requests.length > 0)
  vendor.release()
  await until(async () => (await probed.stored()).every((n) => n === 1))
  await until(async () => (await leaseOf(world.sql, PROBING)) === undefined)
  const { each, by } = probed.asked()
  expect(each).toEqual([1, 1, 1])
  expect(by).toHaveLength(1)
  expect(probed.servers.map(({ pid }) => pid)).toContain(by[0] as number)
}, 120_000)
