import { unlessAborted } from '../clock.ts'
import {
  type AllowedHosts,
  allowedHosts,
  bareHost,
  isAddress,
  isPublicAddress,
  isWebPort,
} from './allowed-targets.ts'
import { type Cut, hasHugeHeaders, readReply, TAKEN_CODING } from './reply.ts'

export type GuardedRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  signal?: AbortSignal
  /** For the whole request: lookup, connection and answer. In milliseconds. */
  timeoutMs?: number
  /** How many bytes of the answer are read; the rest is dropped. */
  maxBytes?: number
  /** Takes the body piece by piece instead of the result, of a 200 alone. Must not throw. */
  take?: (piece: Uint8Array) => Promise<void>
  /** Asks for this coding; the body is then left in the coding that it came in. */
  coding?: string
}

/** The result of a request. A redirect is an answer like any other and is never followed. */
export type Fetched =
  | {
      outcome: 'answered'
      status: number
      headers: Headers
      /** As much of the body as was read. */
      body: Uint8Array
      /** Why the body is not complete: it was longer than allowed, broke off, or never ended. */
      cut: Cut
    }
  /** `blocked`: this server must not reach the address. The others are network errors. */
  | { outcome: 'blocked' | 'unreachable' | 'timeout' | 'aborted'; reason: string }

/** An answer whose body the caller reads as it comes, in the coding that it came in. */
export type OpenedRequest =
  | { outcome: 'answered'; response: Response }
  | Exclude<Fetched, { outcome: 'answered' }>

export type GuardedFetch = {
  /** Never throws, whatever the address or the network does. */
  fetch(url: string, request?: GuardedRequest): Promise<Fetched>
  /**
   * As `fetch`, without limits of time and length: for answers that go on for hours. Aborting the
   * signal ends the connection. Never throws; reading the body may.
   */
  open(
    url: string,
    request: Pick<GuardedRequest, 'method' | 'headers' | 'body' | 'coding'> & {
      signal: AbortSignal
    },
  ): Promise<OpenedRequest>
  /** Why this address must not be reached, as far as that is known without resolving it. */
  refusal(url: string): string | undefined
  /**
   * For services other than web servers: the addresses of a host, looked up and checked. Callers
   * must connect to these and not to a name. Throws if the name cannot be looked up.
   */
  addressesOf(host: string): Promise<CheckedHost | { blocked: string }>
}

export type CheckedHost = {
  addresses: string[]
  /** True if BECKON_ALLOW_PRIVATE_HOSTS names the host, so that it needs no TLS. */
  isAllowed: boolean
  /** Certificates to trust in addition to the system's own. */
  ca: string | undefined
}

export type GuardOptions = {
  /** Hosts and networks that may be reached although they are private or without TLS. */
  allowPrivateHosts?: readonly string[]
  /** All addresses of a name; by default from the system's resolver. */
  resolve?: (host: string) => Promise<string[]>
  /** Certificates to trust in addition to the system's own. */
  ca?: string
}

const TIMEOUT_MS = 10_000
// Most callers look at the status alone. Whoever reads more says how much.
const MAX_BYTES = 4 * 1024
// Many devices share a few hosts, so one lookup serves a burst, and a changed address is noticed
// soon.
const REMEMBER_MS = 30_000
const REMEMBER_MAX = 1_000
// A host may have an address family that this network cannot reach.
const ADDRESSES_MAX = 3

/** An answer whose status is known while its body still comes. */
type Arriving = { response?: Response; chunks: Uint8Array[] }

type Target = { url: URL; host: string; addresses: string[] }
type Blocked = { blocked: string }

type Connections = {
  lookUpHost(host: string): Promise<LookedUp>
  target(url: string): Promise<Target | Blocked>
  /** Undefined for a name without an address. */
  connect(to: Target, request: GuardedRequest, signal: AbortSignal): Promise<Response | undefined>
}

function createConnections(
  { ca, resolve: look = systemResolve }: GuardOptions,
  allowed: AllowedHosts,
): Connections {
  const resolve = remembering(look)
  const lookUpHost = (host: string) => lookUp(host, resolve, allowed)

  async function target(url: string): Promise<Target | Blocked> {
    const refused = refusal(url, allowed)
    if (refused) return { blocked: refused }
    const parsed = new URL(url)
    const host = bareHost(parsed.hostname)
    const { addresses, isAllowed } = await lookUpHost(host)
    if (isAllowed) return { url: parsed, host, addresses }
    if (parsed.protocol !== 'https:') return { blocked: NEEDS_HTTPS }
    if (!addresses.every(isPublicAddress)) return { blocked: PRIVATE }
    return { url: parsed, host, addresses }
  }

  function connectTo(to: Target, address: string, request: GuardedRequest, signal: AbortSignal) {
    const direct = new URL(to.url)
    direct.hostname = address.includes(':') ? `[${address}]` : address
    const trusted = ca === undefined ? {} : { ca }
    return fetch(direct, {
      method: request.method ?? 'GET',
      headers: headersOf(to, request),
      decompress: false,
      // Bun's own limit would end streams that are silent for five minutes.
      timeout: false,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      signal,
      ...(to.url.protocol === 'https:' ? { tls: { serverName: to.host, ...trusted } } : {}),
    } as RequestInit)
  }

  async function connect(to: Target, request: GuardedRequest, signal: AbortSignal) {
    for (const [i, address] of to.addresses.slice(0, ADDRESSES_MAX).entries()) {
      try {
        return await connectTo(to, address, request, signal)
      } catch (error) {
        const next = to.addresses[i + 1]
        if (signal.aborted || !next || !NOT_CONNECTED.has(codeOf(error))) throw error
      }
    }
    return undefined
  }

  return { lookUpHost, target, connect }
}

/**
 * Outgoing requests that only reach the public internet over https, whoever chose the address. The
 * name is looked up here, every address is checked, and the connection goes to the checked address
 * itself (Host header and TLS name as in the URL), so a name that changes between the check and the
 * connection gains nothing.
 */
export function createGuardedFetch(options: GuardOptions = {}): GuardedFetch {
  const allowed = allowedHosts(options.allowPrivateHosts ?? [])
  const { lookUpHost, target, connect } = createConnections(options, allowed)

  async function send(
    to: Target,
    request: GuardedRequest,
    signal: AbortSignal,
    arriving: Arriving,
  ): Promise<Fetched> {
    const response = await connect(to, request, signal)
    if (!response) return NO_ADDRESS
    arriving.response = response
    return await answered(response, arriving.chunks, request)
  }

  return {
    refusal: (url) => refusal(url, allowed),
    async open(url, request) {
      const { signal } = request
      try {
        const to = await unlessAborted(target(url), signal)
        if ('blocked' in to) return { outcome: 'blocked', reason: to.blocked }
        const response = await unlessAborted(connect(to, request, signal), signal)
        if (!response) return NO_ADDRESS
        const fault = faultOf(response)
        if (fault === undefined) return { outcome: 'answered', response }
        await response.body?.cancel()
        return { outcome: 'unreachable', reason: fault }
      } catch (error) {
        return trouble(error, signal)
      }
    },
    addressesOf: async (name) => checkedHost(await lookUpHost(bareHost(name)), options.ca),
    async fetch(url, request = {}) {
      const stop = new AbortController()
      const arriving: Arriving = { chunks: [] }
      const timer = setTimeout(() => stop.abort(TIMED_OUT), request.timeoutMs ?? TIMEOUT_MS)
      const hangUp = () => stop.abort(HUNG_UP)
      request.signal?.addEventListener('abort', hangUp, { once: true })
      if (request.signal?.aborted) hangUp()
      try {
        const to = await unlessAborted(target(url), stop.signal)
        if ('blocked' in to) return { outcome: 'blocked', reason: to.blocked }
        return await unlessAborted(send(to, request, stop.signal, arriving), stop.signal)
      } catch (error) {
        return brokenOff(arriving) ?? trouble(error, stop.signal)
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', hangUp)
      }
    },
  }
}

function headersOf({ url }: Target, { headers, coding = TAKEN_CODING }: GuardedRequest) {
  return { ...headers, 'Accept-Encoding': coding, Host: url.host }
}

type LookedUp = Pick<CheckedHost, 'addresses' | 'isAllowed'>

function checkedHost({ addresses, isAllowed }: LookedUp, ca: string | undefined) {
  if (!isAllowed && !addresses.every(isPublicAddress)) return { blocked: PRIVATE }
  return { addresses: addresses.slice(0, ADDRESSES_MAX), isAllowed, ca }
}

/**
 * The addresses of a host, and whether its owner allowed the host by name, or all of its addresses.
 */
async function lookUp(
  host: string,
  resolve: (host: string) => Promise<string[]>,
  allowed: AllowedHosts,
): Promise<LookedUp> {
  const addresses = isAddress(host) ? [host] : await resolve(host)
  return { addresses, isAllowed: allowed.hasName(host) || addresses.every(allowed.hasAddress) }
}

const NEEDS_HTTPS = 'Only https addresses may be reached.'
const NO_WEB_PORT = 'The port belongs to another kind of service than a web server.'
/** The reason of a request that was blocked because of where it leads. */
export const PRIVATE = 'The address belongs to a private network, which this server must not reach.'

/** Checks an address before it is resolved. */
function refusal(text: string, allowed: AllowedHosts): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return NEEDS_HTTPS
  if (url.username || url.password) return 'The address must not carry a user name or password.'
  const host = bareHost(url.hostname)
  const literal = isAddress(host)
  if (allowed.hasName(host) || (literal && allowed.hasAddress(host))) return undefined
  if (literal && !isPublicAddress(host)) return PRIVATE
  if (/(^|\.)localhost$/.test(host)) return PRIVATE
  if (!isWebPort(url.port)) return NO_WEB_PORT
  // A name may still lead into an allowed network, which only the lookup shows.
  return url.protocol === 'https:' || allowed.hasNetworks ? undefined : NEEDS_HTTPS
}

async function answered(
  response: Response,
  chunks: Uint8Array[],
  { maxBytes = MAX_BYTES, coding, take }: GuardedRequest,
): Promise<Fetched> {
  const { status, headers } = response
  const fault = faultOf(response)
  if (fault !== undefined) {
    await response.body?.cancel()
    return { outcome: 'unreachable', reason: fault }
  }
  const keep = (piece: Uint8Array) => {
    chunks.push(piece)
  }
  const to = status === 200 && take ? take : keep
  const cut = await readReply(response, { most: maxBytes, to, packed: coding !== undefined })
  return { outcome: 'answered', status, headers, body: Buffer.concat(chunks), cut }
}

/** Why the answer cannot be used. */
function faultOf(response: Response): string | undefined {
  if (response.status < STATUS_MIN) return NO_STATUS
  return hasHugeHeaders(response) ? HUGE_HEADERS : undefined
}

const NO_ADDRESS = { outcome: 'unreachable', reason: 'The name has no address.' } as const
const STATUS_MIN = 100
const NO_STATUS = 'The answer is not HTTP.'
const HUGE_HEADERS = 'The headers of the answer are longer than 64 KiB.'

/** A reply that was cut off: its status and the text so far count. */
function brokenOff({ response, chunks }: Arriving): Fetched | undefined {
  if (!response) return undefined
  const { status, headers } = response
  return { outcome: 'answered', status, headers, body: Buffer.concat(chunks), cut: 'broken' }
}

const TIMED_OUT = new Error('timeout')
const HUNG_UP = new Error('aborted')
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ENETUNREACH',
  'EHOSTUNREACH',
])

function trouble(error: unknown, signal: AbortSignal): Exclude<Fetched, { outcome: 'answered' }> {
  if (signal.aborted && signal.reason === TIMED_OUT) {
    return { outcome: 'timeout', reason: 'No answer came in time.' }
  }
  if (signal.aborted) return { outcome: 'aborted', reason: 'The request was given up.' }
  const code = codeOf(error)
  return { outcome: 'unreachable', reason: `The connection failed${code ? ` (${code})` : ''}.` }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '')
}

async function systemResolve(host: string): Promise<string[]> {
  const lookups = await Bun.dns.lookup(host)
  // IPv4 first: a network without IPv6 is far more common than one without IPv4.
  return lookups.sort((a, b) => a.family - b.family).map(({ address }) => address)
}

function remembering(resolve: (host: string) => Promise<string[]>) {
  const cache = new Map<string, { until: number; addresses: Promise<string[]> }>()

  return (host: string): Promise<string[]> => {
    const now = performance.now()
    const entry = cache.get(host)
    if (entry && entry.until > now) return entry.addresses
    if (cache.size >= REMEMBER_MAX) cache.clear()
    const addresses = resolve(host)
    cache.set(host, { until: now + REMEMBER_MS, addresses })
    addresses.catch(() => cache.delete(host))
    return addresses
  }
}
