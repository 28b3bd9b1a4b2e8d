import { isOwnOrigin } from '../config/origins.ts'
import { readJson } from '../http/body.ts'
import type { Clock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Endpoint, EndpointDeps } from './endpoint.ts'
import { INTERNAL, type Refusal, refusal, refusalOf } from './errors.ts'
import { type IdleTimer, jsonReply } from './exchange.ts'
import { errorText, readMessage } from './message.ts'

export type FaceDeps = EndpointDeps & {
  clock: Clock
  baseUrl: string
  /** Origins beside our own that may call from a browser. */
  allowedOrigins: readonly string[]
}

/** The MCP address: give it every request, whatever its method; it never throws. */
export type Mcp = {
  fetch(request: Request, server?: IdleTimer): Promise<Response>
  /** Calls that are being worked on. */
  open(): number
  /**
   * Waits for open calls, and tells those that are left after `graceMs` (1 s) that the server is
   * closing. Send the waiting home first (`waiting.close()`): their calls then end by themselves.
   */
  close(graceMs?: number): Promise<void>
}

const GRACE_MS = 1_000

/** The door in front of the endpoints: method, origin, body; then one message at a time. */
export function createFace(deps: FaceDeps, endpointFor: (url: string) => Endpoint): Mcp {
  const { clock, log, exchanges } = deps

  async function handle(request: Request, server: IdleTimer): Promise<Response> {
    const arrivedAt = clock.now()
    if (request.method !== 'POST') return refuse(ONLY_POST)
    if (!mayCall(request, deps)) return refuse(FOREIGN_ORIGIN)
    const message = readMessage(await readBody(request))
    if (message.kind === 'refusal') return refuse(message)
    // A notification changes nothing here: some clients send `cancelled` after every call.
    if (message.kind !== 'request') return new Response(null, { status: 202 })
    return await endpointFor(request.url)({ request, server, asked: message, arrivedAt })
  }

  return {
    async fetch(request, server) {
      try {
        return await handle(request, server)
      } catch (thrown) {
        if (thrown instanceof Failure) return refuse(refusalOf(thrown))
        log.error('an MCP request failed', { error: thrown })
        return refuse({ ...INTERNAL, status: 500 })
      }
    },
    open: exchanges.open,
    close: (graceMs = GRACE_MS) => exchanges.close(graceMs),
  }
}

function refuse(why: Refusal): Response {
  return jsonReply(errorText(undefined, why), why.status, why.headers)
}

const ONLY_POST: Refusal = {
  ...refusal(405, 405, 'This address takes POST alone: no stream is offered, no session is kept.'),
  headers: { allow: 'POST' },
}
const FOREIGN_ORIGIN = refusal(
  403,
  403,
  'Pages of this origin may not call this server; only its own may.',
)

/** Browsers always say where a page comes from; agents say nothing (MCP, transports: security). */
function mayCall({ headers }: Request, { baseUrl, allowedOrigins }: FaceDeps): boolean {
  const origin = headers.get('origin')
  if (origin === null || allowedOrigins.includes(origin)) return true
  return isOwnOrigin(origin, baseUrl, headers.get('host'))
}

async function readBody(request: Request): Promise<unknown> {
  try {
    return await readJson(request)
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    // The caller went away in the middle, or sent what its headers do not say.
    throw new Failure('malformed', 'The body could not be read.', { cause: thrown })
  }
}
