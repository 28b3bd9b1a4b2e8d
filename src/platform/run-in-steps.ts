// Short enough that requests are not noticeably delayed.
const AT_A_TIME_MS = 5

/**
 * Returns a function for long work to call between its steps: it lets the rest of the process run
 * if that has waited for five milliseconds, and returns nothing to wait for if not.
 */
export function regularPauses(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < AT_A_TIME_MS) return undefined
    return Bun.sleep(0).then(() => {
      since = performance.now()
    })
  }
}

/**
 * Does long work in short pieces, and lets the rest of the process run in between. Each `yield` of
 * `steps` is a possible pause.
 */
export async function runInSteps<T>(steps: Generator<unknown, T>): Promise<T> {
  const pause = regularPauses()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const paused = pause()
    if (paused) await paused
  }
}

/** Does the same work in one piece. */
export function runAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
