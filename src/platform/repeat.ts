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

// A job may take a tenth of the time of a process that is idle, and a fiftieth of a busy one.
const REST = 9
const BUSY_REST = 49
/** The share of one core that the whole process used while the job rested. */
const BUSY = 0.5
// Stopping waits for a job that rests, and after a slow disk it would rest for minutes.
const REST_MOST_MS = 500

/** Waits after a piece of work that took `workedMs`. */
export type Rest = (workedMs: number) => Promise<void>

/**
 * For a job that catches up in small pieces on the thread that also answers requests. After each
 * piece it rests for a multiple of the piece's time, and longer while the process is busy.
 */
export function restBetween(): Rest {
  let times = REST
  return async (workedMs) => {
    const before = process.cpuUsage()
    const began = performance.now()
    await Bun.sleep(Math.min(times * workedMs, REST_MOST_MS))
    const { user, system } = process.cpuUsage(before)
    const used = (user + system) / 1_000 / (performance.now() - began)
    times = used > BUSY ? BUSY_REST : REST
  }
}

/** Rests only until everything that waits has had its turn. */
export const letOthersRun: Rest = () => Bun.sleep(0)
