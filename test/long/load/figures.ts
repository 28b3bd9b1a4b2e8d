import { SEED } from '../../support/seed.ts'
import { seeded } from '../crash/random.ts'

/** Times in milliseconds: a reservoir, so that a long run keeps no more than a short one. */
export type Times = { add(ms: number): void; told(): Spread }

/** How a number of times lies. */
export type Spread = { count: number; p50: number; p99: number; max: number }

const KEPT = 20_000

export function createTimes(): Times {
  const random = seeded(SEED)
  const sample: number[] = []
  let count = 0
  let max = 0
  return {
    add(ms) {
      count++
      max = Math.max(max, ms)
      if (sample.length < KEPT) return void sample.push(ms)
      const place = Math.floor(random.next() * count)
      if (place < KEPT) sample[place] = ms
    },
    told() {
      const sorted = sample.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
      return { count, p50: at(0.5), p99: at(0.99), max }
    },
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

const LOOK_EVERY_MS = 100
const PATIENCE_MS = 60_000

/** Looks ten times a second whether `isSo`; resolves to whether it became so in time. */
export async function becomes(
  isSo: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) return false
    await Bun.sleep(LOOK_EVERY_MS)
  }
  return true
}
