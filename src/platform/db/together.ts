/**
 * Statements that do not need each other: PostgreSQL gets those of one transaction in one trip, in
 * this order. Waits for all of them before it throws, so that nothing of a transaction that failed
 * goes on after it; what it throws came first, as the others failed because of it.
 */
export async function together<T extends readonly unknown[]>(
  ...all: { [At in keyof T]: Promise<T[At]> }
): Promise<T> {
  try {
    return (await Promise.all(all)) as unknown as T
  } catch (error) {
    await Promise.allSettled(all)
    throw error
  }
}
