import { monitorEventLoopDelay } from 'node:perf_hooks'
import { requestAddress } from './http/request.ts'
import type { MountedRoute } from './http/server.ts'
import type { Metrics } from './metrics.ts'

const NS = 1e9
const US = 1e6
// Coarse enough to cost nothing, fine enough to show what delays an answer.
const LAG_EVERY_MS = 50

/** Measures the resources of the process. The event loop is watched from the first scrape on. */
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
      const figures = [
        [['mean'], lag.mean / NS],
        [['p99'], lag.percentile(99) / NS],
        [['max'], lag.max / NS],
      ] as const
      lag.reset()
      return figures
    },
  })
  return { [Symbol.dispose]: () => void lag.disable() }
}

/** Counts a response and returns it. */
type CountResponse = (request: Request, response: Response) => Response

/**
 * Counts requests by what answered them. A route is the part of a mounted path that is the same for
 * everybody (`/api/v1/questions`, `/d`), so that no id becomes a label. Routes in `named` are
 * counted under the given name, all others by the beginning of their path.
 */
export function countRequests(
  metrics: Metrics,
  mounted: readonly MountedRoute[],
  groups: ReadonlyArray<{ face: string; routes: readonly Pick<MountedRoute, 'path'>[] }>,
): CountResponse {
  const faces = new Map(mounted.map(({ path }) => [stemOf(path), faceOf(path)]))
  for (const { face, routes } of groups) {
    for (const { path } of routes) faces.set(stemOf(path), face)
  }
  const count = metrics.counter({
    name: 'beckon_http_requests_total',
    help: 'Requests answered, by face, route and status; /healthz is not counted.',
    labels: ['face', 'route', 'status'],
  })
  const seriesByPath = new Map<string, Route>()

  /** Most requests are for few paths, and splitting one costs more than answering with a 304. */
  function routeOf(path: string): Route {
    const series = seriesByPath.get(path)
    if (series) return series
    const stem = mountedStem(path, faces)
    const route = { face: faces.get(stem) ?? 'other', stem, byStatus: new Map() }
    if (seriesByPath.size < PATHS_MOST && path.length <= PATH_MOST) seriesByPath.set(path, route)
    return route
  }

  function seriesOf({ face, stem, byStatus }: Route, status: number) {
    const counter = byStatus.get(status)
    if (counter) return counter
    const series = count.series(face, stem, String(status))
    byStatus.set(status, series)
    return series
  }

  return (request, response) => {
    seriesOf(routeOf(requestAddress(request.url).path), response.status).count++
    return response
  }
}

type Route = { face: string; stem: string; byStatus: Map<number, { count: number }> }

const PATHS_MOST = 1_000
const PATH_MOST = 100

// `/api/v1/questions`; outside the API only the first part counts.
const API_PARTS = 3

function stemOf(path: string): string {
  const parts = path.split('/').slice(1)
  const parameterAt = parts.findIndex((part) => part.startsWith(':') || part === '*')
  const most = parts[0] === 'api' ? API_PARTS : 1
  return `/${parts.slice(0, parameterAt < 0 ? most : Math.min(parameterAt, most)).join('/')}`
}

function mountedStem(path: string, faces: ReadonlyMap<string, string>): string {
  const stem = stemOf(path)
  if (faces.has(stem)) return stem
  const shorter = stem.slice(0, stem.lastIndexOf('/'))
  return shorter !== '' && faces.has(shorter) ? shorter : 'other'
}

const FACES: ReadonlyArray<readonly [start: RegExp, face: string]> = [
  [/^\/api\/mcp\//, 'mcp'],
  [/^\/(api\/auth|sign-in|sign-out|setup)(\/|$)/, 'auth'],
  [/^\/(api|openapi\.json)(\/|$)/, 'rest'],
  [/^\/(readyz|metrics)(\/|$)/, 'operations'],
]

function faceOf(path: string): string {
  return FACES.find(([start]) => start.test(path))?.[1] ?? 'pages'
}
