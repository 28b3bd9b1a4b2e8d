import type { Clock } from '../clock.ts'
import type { HttpsConfig } from '../config/config.ts'
import { systemFailure } from '../http/listen-failure.ts'
import type { Listener } from '../http/listener.ts'
import type { Log } from '../log.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { certificateFiles } from './certificate-files.ts'
import { type Keeper, keepCertificate } from './keep-certificate.ts'

type Deps = {
  https: HttpsConfig
  /** Certificates that are trusted for the authority's address, too (PEM). */
  authority: string | undefined
  baseUrl: string
  dataFolder: string
  /** The app whose answers it serves with TLS. */
  listener: Listener
  clock: Clock
  log: Log
}

/**
 * Answers challenges and redirects callers to https on one port, and serves with TLS on the other
 * as soon as there is a certificate. Throws a `Failure` for a port that cannot be opened.
 */
export function serveHttps({ https, authority, baseUrl, dataFolder, ...more }: Deps): Keeper {
  const { host, httpPort, httpsPort, domains, directory, contact } = https
  const { listener, clock, log } = more
  const challenges = new Map<string, string>()
  const { fetch } = createGuardedFetch({
    // The owner has named it, so it may be in a private network.
    allowPrivateHosts: [new URL(directory).hostname],
    ...(authority && { ca: authority }),
  })
  listener.reserveTls({ host, port: httpsPort })
  const plain = openChallengePort({ host, port: httpPort, baseUrl, domains, challenges })
  const keeper = keepCertificate({
    directory,
    domains,
    contact,
    challenges,
    fetch,
    clock,
    log,
    files: certificateFiles(dataFolder),
    use: ({ key, chain }) => listener.serveTls({ key, cert: chain }),
  })
  return {
    problem: keeper.problem,
    async [Symbol.asyncDispose]() {
      await keeper[Symbol.asyncDispose]()
      await plain.stop(true)
    },
  }
}

type ChallengeOptions = {
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
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BODY_MAX,
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
