/**
 * Statements that do not depend on each other: PostgreSQL gets those of one transaction in one
 * round trip, in this order. Waits for all of them before it throws, so that nothing of a failed
 * transaction goes on. It throws the first error, because the others failed because of it.
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
