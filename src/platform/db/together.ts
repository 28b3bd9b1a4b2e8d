/**
 * Statements of one transaction that do not need each other: PostgreSQL gets them in one trip, in
 * this order. Waits for all of them before it throws, so that nothing of a transaction that failed
 * goes on after it.
 */
export async function together<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return [await a, await b]
}
