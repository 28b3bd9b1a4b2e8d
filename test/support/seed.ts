// The same inputs for every change, so that it answers for its own; `bun run test:seeds` draws others.
const FIXED = 20_261_121

/** What everything that the tests draw begins with; another number only where `TEST_SEED` says so. */
export const SEED = seedFrom(process.env.TEST_SEED)

function seedFrom(text: string | undefined): number {
  if (!text) return FIXED
  const seed = Number(text)
  if (Number.isInteger(seed) && Math.abs(seed) < 2 ** 31) return seed
  throw new Error(`TEST_SEED is ${text}; it must be a whole number of at most 32 bits.`)
}
