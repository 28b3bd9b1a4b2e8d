// Of a process with little to do, a job takes a tenth; of a busy one a fiftieth.
const REST = 9
const BUSY_REST = 49
/** Of one core, used by the whole process while the job rested. */
const BUSY = 0.5
// Whoever stops waits for a job that rests, and after a slow disk it would rest for minutes.
const REST_MOST_MS = 500

/** Waits after a piece of work that took `workedMs`. */
export type Rest = (workedMs: number) => Promise<void>

/**
 * For a job that catches up in small pieces on the thread that also answers requests: it rests
 * after each piece for a multiple of its time, and longer while the process is busy.
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

/** Rests no longer than it takes everything that waits to go first. */
export const letOthersRun: Rest = () => Bun.sleep(0)
