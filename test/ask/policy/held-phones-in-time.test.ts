import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { heldPhones } from '../../support/held-phones.ts'
import { howOften } from '../../support/share.ts'

const MINUTE = 60_000

const plans = fc.record({
  presenceMs: fc.integer({ min: 0, max: 120_000 }),
  graceMs: fc.constantFrom(0, 0, 0, 5_000, 30_000),
  waitMs: fc.integer({ min: 1_000, max: 10 * MINUTE - 1 }),
  before: fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 3 }),
  after: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 5 }),
  elsewhere: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 2 }),
})

test('whatever the policy, the ask and the proofs: the phone rings once, and in time', async () => {
  const all = fc.asyncProperty(plans, async (plan) => {
    await using house = await heldPhones({ phone: 'phone' })
    const { world, rang, pass } = house
    const { deps, call, clock } = world
    const { presenceMs, graceMs, waitMs } = plan
    await setPolicy(deps, call().caller.workspaceId, { presenceMs, graceMs })
    const askedAt = clock.now() + 100_000
    const proofs = [...plan.before.map((ms) => -ms), ...plan.after].map((at) => ({ at, own: true }))
    const others = plan.elsewhere.map((at) => ({ at, own: false }))
    const moments = [...proofs, ...others].sort((a, b) => a.at - b.at)
    const asks = { at: 0, ask: true, own: false }
    for (const moment of [
      ...moments.filter(({ at }) => at < 0),
      asks,
      ...moments.filter(({ at }) => at >= 0),
    ]) {
      await pass(askedAt + moment.at - clock.now())
      if ('ask' in moment) {
        const waitEndsAt = new Date(askedAt + waitMs).toISOString()
        await house.ask({ wait: false, toolName: 'Bash', waitEndsAt })
      } else await house.prove(moment.own ? 'm1' : 'm2')
    }
    await pass(askedAt + 2 * MINUTE - clock.now())

    expect(rang).toHaveLength(1)
    const afterMs = (rang[0]?.[1] ?? 0) - askedAt
    // A step of the clock in this test, which is when it looks whether the phone rang.
    const step = 500
    const latest = Math.min(MINUTE, waitMs / 2)
    expect(afterMs).toBeLessThanOrEqual(Math.max(latest, graceMs + 1_000) + step)
    expect(afterMs).toBeGreaterThanOrEqual(graceMs)
    const past = proofs.filter(({ at }) => at <= Math.max(0, afterMs - 1_000 - step))
    const last = Math.max(...past.map(({ at }) => at), Number.NEGATIVE_INFINITY)
    // A proof that would move the ring by less than a second does not.
    const quiet = Math.min(last + presenceMs - 1_000, latest - 1_000)
    expect(afterMs).toBeGreaterThanOrEqual(Math.min(quiet, latest - 1_000 - step))
  })
  await fc.assert(all, { numRuns: howOften(10, 40), seed: 20261122 })
}, 120_000)
