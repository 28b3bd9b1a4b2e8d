import { afterAll, expect, test } from 'bun:test'
import { SEED } from '../../support/seed.ts'
import { closeHouse } from './house.ts'
import { TARGETS } from './targets.ts'
import { tryTarget } from './try-target.ts'
import { watch } from './watch.ts'

const dog = watch()
// Everything together, whatever is tried last; Bun itself needs a part of it for its sockets.
const GROWN_MOST_MIB = 700
const startBytes = process.memoryUsage.rss()
afterAll(async () => {
  dog[Symbol.dispose]()
  await closeHouse()
})

test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: whatever comes is understood, or refused in words',
  async (_, target) => {
    const tried = await tryTarget(target, { runs: target.few, seed: SEED }, dog)
    expect(tried.failure ?? '').toBe('')
    expect(tried.inputs).toBe(target.few)
  },
  120_000,
)

test('what was tried is not kept', () => {
  Bun.gc(true)
  expect((process.memoryUsage.rss() - startBytes) / 1024 / 1024).toBeLessThan(GROWN_MOST_MIB)
})
