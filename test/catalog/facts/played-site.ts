import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'

type Play = (request: Request) => Response | Promise<Response>

/** A server on loopback that plays somebody's site. */
export type PlayedSite = AsyncDisposable & {
  /** Without a slash at the end. */
  base: string
  /** What a path with its query answers from now on; others are 404. */
  on(path: string, play: Play): void
  json(path: string, value: unknown, headers?: Record<string, string>): void
  text(path: string, text: string, type: string): void
  /** Paths in the order they were asked for. */
  paths: string[]
  requests: Request[]
}

export async function playedSite(): Promise<PlayedSite> {
  const plays = new Map<string, Play>()
  const paths: string[] = []
  const requests: Request[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      paths.push(pathname + search)
      requests.push(request)
      const nothing = () => new Response('Nothing here', { status: 404 })
      return (plays.get(pathname + search) ?? nothing)(request)
    },
  })
  const on = (path: string, play: Play) => void plays.set(path, play)
  return {
    base: `http://127.0.0.1:${server.port}`,
    on,
    json: (path, value, headers = {}) => on(path, () => Response.json(value, { headers })),
    text: (path, text, type) =>
      on(path, () => new Response(text, { headers: { 'content-type': type } })),
    paths,
    requests,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

/** Requests that may reach this machine. */
export function localOutside(timeoutMs = 10_000) {
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  return { fetch: ((url, request) => fetch(url, { timeoutMs, ...request })) as typeof fetch }
}

/** Bytes without end. */
export function endless(type: string, chunk = 'x'.repeat(64 * 1024)): Response {
  const bytes = new TextEncoder().encode(chunk)
  const body = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1)
      controller.enqueue(bytes)
    },
  })
  return new Response(body, { headers: { 'content-type': type } })
}

/** What a stranger's server may do to one path, by name; none of it says anything. */
export const HOSTILE: Record<string, Play> = {
  'bytes without end': () => endless('application/json', `"${'x'.repeat(64 * 1024)}",`),
  'an answer that never comes': () => new Promise<Response>(() => {}),
  'a page that says it is one': () =>
    new Response('<!doctype html><p>Sign in', { headers: { 'content-type': 'text/html' } }),
  'JSON that is not called JSON': () =>
    new Response('{"version":"1.0.0","downloads":1}', {
      headers: { 'content-type': 'text/plain' },
    }),
  'JSON that breaks off': () =>
    new Response('{"version":"1.0', { headers: { 'content-type': 'application/json' } }),
  'JSON of another form': () => Response.json([{ version: 1, downloads: 'many' }]),
  'JSON of a depth without end': () =>
    new Response('['.repeat(200_000), { headers: { 'content-type': 'application/json' } }),
  'JSON of 3 MB': () => Response.json({ version: 'x'.repeat(3_000_000) }),
  'a name of objects': () =>
    new Response('{"__proto__":{"version":"1"},"constructor":null}', {
      headers: { 'content-type': 'application/json' },
    }),
  'a failure': () => new Response('{"version":"1.0.0"}', { status: 500 }),
  'a request for patience': () =>
    new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }),
  'a redirect to a private address': () => Response.redirect('http://10.0.0.1/latest', 302),
  'a redirect to the metadata of a cloud': () =>
    Response.redirect('http://169.254.169.254/latest/meta-data', 307),
  'a redirect to a file': () =>
    new Response(null, { status: 302, headers: { location: 'file:///etc/passwd' } }),
  'a redirect to itself': (request) => Response.redirect(request.url, 302),
  'a redirect to nowhere': () =>
    new Response(null, { status: 302, headers: { location: 'http://[' } }),
}

/** As patient as with anybody else, but for an answer that never comes. */
export function towards(hostile: string) {
  return localOutside(hostile === 'an answer that never comes' ? 1_000 : 10_000)
}
