/** Whether this is `bun run test:long`, which tries everything that the other runs take a share of. */
export const isLong = process.env.TEST_LONG === '1'

/**
 * Whether more is tried than by `bun run test`, where each behaviour is proven once: in more places,
 * in more ways and with more inputs.
 */
export const isWide = isLong || process.env.TEST_WIDE === '1'

const rounds = process.env.TEST_ROUNDS

/**
 * How often a test tries what could be tried for ever: `few` in the wide run, `many` in the long one,
 * `quick` in the quick one, and what `TEST_ROUNDS` says where somebody wants another number.
 */
export function howOften(few: number, many: number, quick = Math.ceil(few / 4)): number {
  if (!rounds) return isLong ? many : isWide ? few : quick
  const wanted = Number(rounds)
  if (Number.isInteger(wanted) && wanted > 0) return wanted
  throw new Error(`TEST_ROUNDS is ${rounds}; it must be a whole number above 0.`)
}

/** All of `list` in the long run; in the others every `n`th of it, beginning with `first`. */
export function everyNth<T>(list: readonly T[], n: number, first = 0): readonly T[] {
  return isLong ? list : list.filter((_, i) => i % n === first)
}
