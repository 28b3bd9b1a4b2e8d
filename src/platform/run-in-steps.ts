// Short enough that requests are not noticeably delayed.
const AT_A_TIME_MS = 5

/**
 * Does long work in short pieces, and lets the rest of the process run in between. Each `yield` of
 * `steps` is a possible pause.
 */
export async function runInSteps<T>(steps: Generator<unknown, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < AT_A_TIME_MS) continue
    await Bun.sleep(0)
    since = performance.now()
  }
}

/** Does the same work in one piece. */
export function runAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
