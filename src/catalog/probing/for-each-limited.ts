/** Runs `work` for each, at most `width` at a time, until all are done or `signal` is aborted. */
export async function forEachLimited<T>(
  all: Iterable<T>,
  width: number,
  work: (one: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = [...all]
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      if (signal?.aborted) return
      await work(one)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, lane))
}
