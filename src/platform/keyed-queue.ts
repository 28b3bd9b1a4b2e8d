/**
 * Runs jobs concurrently, at most `width` of one lane at a time; lanes never wait for each other.
 */
export type KeyedQueue = {
  run(lane: string, job: () => Promise<void>): void
  /** Lanes that run at least as many jobs as they may. */
  full(): string[]
  /** Resolves when no job runs or waits any more. */
  idle(): Promise<void>
}

type Lane = { running: number; queue: Array<() => Promise<void>> }

export function createKeyedQueue(width: number): KeyedQueue {
  const lanes = new Map<string, Lane>()
  const waitingForIdle = new Set<() => void>()

  async function work(name: string, lane: Lane) {
    lane.running++
    for (let job = lane.queue.shift(); job; job = lane.queue.shift()) await job()
    lane.running--
    if (lane.running > 0) return
    lanes.delete(name)
    if (lanes.size > 0) return
    for (const resolve of waitingForIdle) resolve()
    waitingForIdle.clear()
  }

  return {
    run(name, job) {
      const lane = lanes.get(name) ?? { running: 0, queue: [] }
      lanes.set(name, lane)
      lane.queue.push(job)
      if (lane.running < width) void work(name, lane)
    },
    full() {
      return [...lanes].filter(([, lane]) => lane.running >= width).map(([name]) => name)
    },
    idle() {
      if (lanes.size === 0) return Promise.resolve()
      return new Promise((resolve) => waitingForIdle.add(resolve))
    },
  }
}
