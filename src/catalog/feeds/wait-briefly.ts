import type { Clock } from '../../platform/clock.ts'
import type { Failure } from '../../platform/failure.ts'

// Most work is done by then, and no proxy has given up on the request.
const WAIT_MS = 10_000

/**
 * The result of work that may take minutes, if it is there within ten seconds; throws what `notYet`
 * returns if it is not. The work goes on.
 */
export async function waitBriefly<T>(
  clock: Clock,
  work: Promise<T>,
  notYet: () => Failure,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const forget = clock.after(WAIT_MS, () => late.reject(notYet()))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    forget()
  }
}
