import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const NS = 1e9
const US = 1e6
// Coarse enough to cost nothing, fine enough to show what delays an answer.
const LAG_EVERY_MS = 50

/** What the process uses of the machine. The event loop is watched from the first scrape on. */
export function measureProcess(metrics: Metrics, version: string): Disposable {
  const lag = monitorEventLoopDelay({ resolution: LAG_EVERY_MS })
  let watching = false
  const start = performance.timeOrigin / 1_000

  metrics.figure({
    name: 'beckon_build_info',
    kind: 'gauge',
    labels: ['version', 'runtime'],
    help: 'Always 1; the version of the server and of Bun are its labels.',
    read: () => [[[version, Bun.version], 1]],
  })
  metrics.figure({
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'When the process started, in seconds since 1970.',
    read: () => start,
  })
  metrics.figure({
    name: 'beckon_uptime_seconds',
    kind: 'gauge',
    help: 'Seconds since the process started.',
    read: () => process.uptime(),
  })
  metrics.figure({
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'CPU time that the process used.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / US
    },
  })
  metrics.figure({
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Memory that the process holds.',
    read: () => process.memoryUsage.rss(),
  })
  metrics.figure({
    name: 'beckon_heap_used_bytes',
    kind: 'gauge',
    help: 'Memory that objects of the program take of it.',
    read: () => process.memoryUsage().heapUsed,
  })
  metrics.figure({
    name: 'beckon_event_loop_delay_seconds',
    kind: 'gauge',
    labels: ['stat'],
    help: 'How late the event loop was since the scrape before: mean, p99 and max. Not in the first scrape.',
    read() {
      if (!watching) {
        watching = true
        lag.enable()
        return undefined
      }
      if (lag.count === 0) return undefined
      const told = [
        [['mean'], lag.mean / NS],
        [['p99'], lag.percentile(99) / NS],
        [['max'], lag.max / NS],
      ] as const
      lag.reset()
      return told
    },
  })
  return { [Symbol.dispose]: () => void lag.disable() }
}
