import { Elysia } from 'elysia'
import type { Clock } from '../clock.ts'
import { isOwnOrigin } from '../config/origins.ts'
import { storageFailure } from '../db/storage-failure.ts'
import { Failure } from '../failure.ts'
import { type Admit, readJson } from '../http/request.ts'
import type { Log } from '../log.ts'
import type { Dispatcher, IdleTimer } from './dispatcher.ts'
import { INTERNAL, type Refusal, refusal, refusalOf } from './errors.ts'
import { readMessage, refusalReply } from './message.ts'

export type HttpHandlerDeps = {
  clock: Clock
  log: Log
  baseUrl: string
  /** Other origins that may call from a browser. */
  allowedOrigins: readonly string[]
  /** Decides who may send large messages. */
  admit: Admit
}

/** An MCP address: give it every request, whatever its method; it never throws. */
export type HttpHandler = (request: Request, server?: IdleTimer) => Promise<Response>

/**
 * Creates the handler in front of the dispatchers: it checks method, origin and body, then passes
 * on one message.
 */
export function createHttpHandler(
  deps: HttpHandlerDeps,
  endpointFor: (request: Request) => Dispatcher,
): HttpHandler {
  const { clock, log } = deps

  async function handle(request: Request, server: IdleTimer): Promise<Response> {
    const arrivedAt = clock.now()
    if (request.method !== 'POST') return refusalReply(undefined, ONLY_POST)
    if (!mayCall(request, deps)) return refusalReply(undefined, FOREIGN_ORIGIN)
    const message = readMessage(await readJson(request, deps.admit))
    if (message.kind === 'refusal') return refusalReply(undefined, message)
    // Notifications have no effect; some clients send `cancelled` after every call.
    if (message.kind !== 'request') return new Response(null, { status: 202 })
    return await endpointFor(request)({ request, server, message, arrivedAt })
  }

  return async (request, server) => {
    try {
      return await handle(request, server)
    } catch (raw) {
      const thrown = storageFailure(raw)
      if (thrown instanceof Failure) return refusalReply(undefined, refusalOf(thrown))
      log.error('an MCP request failed', { error: thrown })
      return refusalReply(undefined, { ...INTERNAL, status: 500 })
    }
  }
}

const ONLY_POST: Refusal = {
  ...refusal(405, 405, 'This address only accepts POST: it offers no stream and keeps no session.'),
  headers: { allow: 'POST' },
}
const FOREIGN_ORIGIN = refusal(
  403,
  403,
  'Pages of this origin may not call this server; only its own may.',
)

/** Browsers always send the origin of a page; agents send none (MCP, transports: security). */
function mayCall({ headers }: Request, { baseUrl, allowedOrigins }: HttpHandlerDeps): boolean {
  const origin = headers.get('origin')
  if (origin === null || allowedOrigins.includes(origin)) return true
  return isOwnOrigin(origin, baseUrl, headers.get('host'))
}

/** The route of a door at `path`. It reads the body itself, so that its limits and errors are its own. */
export function mcpRoute(path: string, { fetch }: { fetch: HttpHandler }) {
  return new Elysia().all(path, ({ request, server }) => fetch(request, server ?? undefined), {
    parse: 'none',
  })
}
