/** Whether this is `bun run test:long`, which tries everything that the quick run takes a share of. */
export const isLong = process.env.TEST_LONG === '1'

const given = process.env.TEST_ROUNDS

/**
 * How often a test tries what could be tried for ever: `few` in the quick run, `many` in the long
 * one, and what `TEST_ROUNDS` says where somebody wants another number.
 */
export function howOften(few: number, many: number): number {
  if (!given) return isLong ? many : few
  const wanted = Number(given)
  if (Number.isInteger(wanted) && wanted > 0) return wanted
  throw new Error(`TEST_ROUNDS is ${given}; it must be a whole number above 0.`)
}

/** All of `list` in the long run; in the quick one every `n`th of it, beginning with `first`. */
export function everyNth<T>(list: readonly T[], n: number, first = 0): readonly T[] {
  return isLong ? list : list.filter((_, i) => i % n === first)
}
