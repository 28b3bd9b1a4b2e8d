import type { Clock } from './clock.ts'

/**
 * Runs `work` now, and again `everyMs` after each run has ended, until disposed; disposing waits
 * for the current run. `report` gets the error of a run; the next run happens anyway.
 */
export function repeatEvery(
  clock: Clock,
  everyMs: number,
  work: () => Promise<unknown>,
  report: (error: unknown) => void,
): AsyncDisposable {
  let closed = false
  let forget = () => {}
  let running = Promise.resolve()

  function run() {
    running = work()
      .then(() => {}, report)
      .then(() => {
        if (!closed) forget = clock.after(everyMs, run)
      })
  }
  run()
  return {
    async [Symbol.asyncDispose]() {
      closed = true
      forget()
      await running
    },
  }
}
