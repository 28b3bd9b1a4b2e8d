import { systemFailure } from './listen-failure.ts'

export type ChallengeOptions = {
  host: string
  port: number
  /** The address of the server; its port is that of every name. */
  baseUrl: string
  domains: readonly string[]
  /** The text of each challenge, by its token. */
  challenges: ReadonlyMap<string, string>
}

const IDLE_SECONDS = 10
// A redirected request needs no body here.
const BODY_MAX = 64 * 1024
const CHALLENGE = '/.well-known/acme-challenge/'

/**
 * Plain http: answers the authority's challenges, and redirects requests for one of the names to
 * https. Nothing else. Throws `conflict` or `forbidden` if the port cannot be opened.
 */
export function openChallengePort(options: ChallengeOptions): Bun.Server<undefined> {
  const { host, port } = options
  try {
    return Bun.serve({
      ...{ hostname: host, port, idleTimeout: IDLE_SECONDS, maxRequestBodySize: BODY_MAX },
      fetch: (request) => answer(options, request),
      error: () => new Response(undefined, { status: 400 }),
    })
  } catch (error) {
    throw systemFailure(error, { host, port, option: '--http-port' })
  }
}

function answer({ baseUrl, domains, challenges }: ChallengeOptions, request: Request): Response {
  const url = URL.parse(request.url)
  if (!url) return new Response(undefined, { status: 400 })
  if (url.pathname.startsWith(CHALLENGE)) {
    const text = challenges.get(url.pathname.slice(CHALLENGE.length))
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (text === undefined || !isRead) return nothing()
    return new Response(text, { headers: { ...PLAIN, 'content-type': 'application/octet-stream' } })
  }
  if (!domains.includes(url.hostname)) return nothing()
  const { port } = new URL(baseUrl)
  const to = `https://${url.hostname}${port && `:${port}`}${url.pathname}${url.search}`
  return new Response(undefined, { status: 308, headers: { ...PLAIN, location: to } })
}

const PLAIN = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

function nothing(): Response {
  return new Response('There is nothing at this address.\n', { status: 404, headers: PLAIN })
}
