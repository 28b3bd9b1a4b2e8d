/**
 * Statements that do not need each other: PostgreSQL gets those of one transaction in one trip, in
 * this order. Waits for all of them before it throws what the first that failed threw, so that
 * nothing of a transaction that failed goes on after it.
 */
export async function together<T extends readonly unknown[]>(
  ...all: { [At in keyof T]: Promise<T[At]> }
): Promise<T> {
  await Promise.allSettled(all)
  return (await Promise.all(all)) as unknown as T
}
