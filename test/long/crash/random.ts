export type Random = {
  /** From 0 to 1, 1 left out. */
  next(): number
  chance(of: number): boolean
  pick<T>(from: readonly T[]): T | undefined
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
}

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (of) => next() < of,
    pick: (from) => from[Math.floor(next() * from.length)],
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
  }
}
