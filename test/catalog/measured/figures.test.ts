import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { liveProbe, percentile, percentOf } from '../../../src/catalog/facts/answers/fact.ts'
import type { ProbeOutcome } from '../../../src/catalog/facts/fact.ts'

const OUTCOMES: ProbeOutcome[] = ['open', 'gated', 'wrong-transport', 'not-mcp', 'dead', 'unknown']
const ANSWERED = ['open', 'gated', 'wrong-transport']
const DOWN = ['dead']

test('a percentile is the smallest value that so many do not exceed, counted one by one', () => {
  const values = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(values, fc.constantFrom(50, 95), (all, percent) => {
      const value = percentile(all, percent / 100)
      if (all.length === 0) return expect(value).toBeNull()
      const reach = (value: number) =>
        all.filter((one) => one <= value).length * 100 >= percent * all.length
      expect(all).toContain(Number(value))
      expect(reach(Number(value))).toBe(true)
      const smaller = all.filter((one) => one < Number(value))
      expect(smaller.some(reach)).toBe(false)
    }),
  )
})

test('a share is 100 for all alone and 0 for none, and never more than it is', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (a, b) => {
      const [some, all] = [Math.min(a, b), Math.max(a, b)]
      const share = percentOf(some, all)
      if (share === null) return expect(all).toBe(0)
      expect(share === 100).toBe(some === all)
      // In whole numbers, as it would be by hand.
      expect(Math.round(share * 100)).toBe(Number((BigInt(some) * 10_000n) / BigInt(all)))
    }),
  )
})

test('what a day says is what its probes say, counted again from the outcomes', () => {
  const outcome = fc.constantFrom(...OUTCOMES)
  const probe = fc.record({ outcome, ms: fc.nat(5_000), minutes: fc.nat(24 * 60 - 1) })
  fc.assert(
    fc.property(fc.array(probe, { minLength: 1, maxLength: 96 }), (probes) => {
      const start = Date.UTC(2026, 10, 21)
      const results = probes
        .toSorted((a, b) => a.minutes - b.minutes)
        .map(({ minutes, ...one }) => ({
          ...{ ...one, slug: 'a', at: start + minutes * 60_000, status: 200, authRequired: false },
        }))
      const ok = results.filter((one) => ANSWERED.includes(one.outcome))
      const down = results.filter((one) => DOWN.includes(one.outcome))
      const count = ok.length + down.length
      const days = [{ slug: 'a', date: '2026-11-21', probes: count, ok: ok.length }]
      const last = results.at(-1)
      if (!last) return
      const live = liveProbe({ target: 'https://a.example', method: 'GET' }, last, results, days)
      expect(live.samples24h).toBe(count)
      expect(live.samples30d).toBe(count)
      expect(live.uptime24h).toBe(live.uptime30d)
      expect(live.p95ms24h).toBe(
        percentile(
          ok.map(({ ms }) => ms),
          0.95,
        ),
      )
      const isKnown = [...ANSWERED, ...DOWN].includes(last.outcome)
      expect('lastOk' in live).toBe(isKnown)
      if (isKnown) expect(live.lastOk).toBe(ANSWERED.includes(last.outcome))
    }),
  )
})
