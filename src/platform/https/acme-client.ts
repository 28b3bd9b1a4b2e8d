import { calculateJwkThumbprint, FlattenedSign, importJWK, type JWK } from 'jose'
import { readJsonObject } from '../json.ts'
import type { Fetched, GuardedFetch, GuardedRequest } from '../outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../outgoing/reply.ts'
import { cleanLine, cutText } from '../text.ts'

type AcmeDetails = { [name in 'retryAfterMs' | 'clockAheadMs']?: number | undefined } & {
  kind?: string | undefined
}

/** The authority refused, could not be reached, or its answer was not ACME. */
export class AcmeFailure extends Error {
  /** The last part of the problem's type, such as `rateLimited`; undefined without one. */
  readonly kind: string | undefined
  /** Milliseconds after which the authority may be asked again, if it says so. */
  readonly retryAfterMs: number | undefined
  /** By how much this machine's clock is ahead of the authority's, if known. */
  readonly clockAheadMs: number | undefined

  constructor(sentence: string, details: AcmeDetails = {}) {
    super(sentence)
    this.name = 'AcmeFailure'
    this.kind = details.kind
    this.retryAfterMs = details.retryAfterMs
    this.clockAheadMs = details.clockAheadMs
  }
}

export type Order = {
  status: string
  authorizations: string[]
  finalize: string
  certificate: string | undefined
  error: string | undefined
}

type Authorization = {
  status: string
  name: string
  /** The HTTP-01 challenge; undefined if the authority offers none. */
  challenge: { url: string; token: string; status: string } | undefined
  error: string | undefined
}

type Answer = { body: Record<string, unknown>; text: string; headers: Headers; at: number }

/** The requests to one authority, with one account (RFC 8555). */
export type AcmeClient = {
  /** Creates the account of this key, or finds it; resolves to its address. */
  openAccount(contact: string | undefined): Promise<string>
  newOrder(names: readonly string[]): Promise<{ url: string; order: Order }>
  order(url: string): Promise<{ order: Order; retryAfterMs: number | undefined }>
  authorization(
    url: string,
  ): Promise<{ authorization: Authorization; retryAfterMs: number | undefined }>
  /** The text that the challenge's address on port 80 must return. */
  keyAuthorization(token: string): Promise<string>
  /** Tells the authority that the text is in place. */
  beginChallenge(url: string): Promise<void>
  finalize(url: string, request: Buffer): Promise<void>
  /** The certificate and its chain, in PEM. */
  download(url: string): Promise<string>
}

export type AcmeOptions = {
  /** The address of the authority's directory. */
  directory: string
  /** The private key of the account: P-256. */
  key: JWK
  /** The address of the account, once it is known. */
  account?: string | undefined
  fetch: GuardedFetch['fetch']
  now(): number
  signal: AbortSignal
}

const TIMEOUT_MS = 30_000
const BYTES_MAX = 256 * 1024
// An authority may occasionally refuse a good nonce (RFC 8555, 6.5).
const NONCE_TRIES = 6
const ALG = 'ES256'

/** Every function throws `AcmeFailure`. */
export function createAcmeClient(options: AcmeOptions): AcmeClient {
  const { place, post, publicKey, knowAccount } = signedRequests(options)
  return {
    async openAccount(contact) {
      const more = contact === undefined ? {} : { contact: [`mailto:${contact}`] }
      const url = await place('newAccount')
      const { headers } = await post(url, { termsOfServiceAgreed: true, ...more })
      return knowAccount(httpsAddress(headers.get('location')))
    },
    async newOrder(names) {
      const identifiers = names.map((value) => ({ type: 'dns', value }))
      const { body, headers } = await post(await place('newOrder'), { identifiers })
      return { url: httpsAddress(headers.get('location')), order: orderIn(body) }
    },
    async order(url) {
      const answer = await post(url)
      return { order: orderIn(answer.body), retryAfterMs: retryAfter(answer) }
    },
    async authorization(url) {
      const answer = await post(url)
      return { authorization: authorizationIn(answer.body), retryAfterMs: retryAfter(answer) }
    },
    keyAuthorization: async (token) => `${token}.${await calculateJwkThumbprint(publicKey)}`,
    beginChallenge: async (url) => void (await post(url, {})),
    async finalize(url, request) {
      await post(url, { csr: request.toString('base64url') })
    },
    download: async (url) => (await post(url)).text,
  }
}

/** Requests with a signature and a nonce, for the account of `options` (RFC 8555, 6). */
function signedRequests(options: AcmeOptions) {
  const { key, now, fetch, signal } = options
  const { d: _secret, ...publicKey } = key
  let { account } = options
  let listed: Promise<Record<string, unknown>> | undefined
  let nonce: string | undefined

  async function send(url: string, request: GuardedRequest): Promise<Answer> {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: BYTES_MAX, signal }
    const fetched = await fetch(url, { ...request, ...limits })
    if (fetched.outcome === 'answered') nonce = fetched.headers.get('replay-nonce') ?? nonce
    return readAnswer(url, fetched, now())
  }

  async function place(name: 'newNonce' | 'newAccount' | 'newOrder'): Promise<string> {
    listed ??= send(options.directory, {}).then(({ body }) => body)
    return httpsAddress((await listed)[name])
  }

  async function freshNonce(): Promise<string> {
    if (nonce === undefined) await send(await place('newNonce'), { method: 'HEAD' })
    const one = nonce
    nonce = undefined
    if (one === undefined) throw new AcmeFailure('The authority sent no nonce.')
    return one
  }

  /** Without `payload` it only reads (RFC 8555, 6.3); without an account the key itself signs. */
  async function post(url: string, payload?: object): Promise<Answer> {
    const bytes = Buffer.from(payload === undefined ? '' : JSON.stringify(payload))
    const who = account === undefined ? { jwk: publicKey } : { kid: account }
    for (let tries = NONCE_TRIES; ; tries--) {
      const jws = await new FlattenedSign(bytes)
        .setProtectedHeader({ alg: ALG, url, nonce: await freshNonce(), ...who })
        .sign(await importJWK(key, ALG))
      const headers = { 'content-type': 'application/jose+json' }
      try {
        return await send(url, { method: 'POST', headers, body: JSON.stringify(jws) })
      } catch (error) {
        const isStale = error instanceof AcmeFailure && error.kind === 'badNonce'
        if (!isStale || tries === 1) throw error
      }
    }
  }

  function knowAccount(url: string): string {
    account = url
    return url
  }

  return { place, post, publicKey, knowAccount }
}

function retryAfter({ headers, at }: Answer): number | undefined {
  return readRetryAfter(headers.get('retry-after'), at)
}

function readAnswer(url: string, fetched: Fetched, now: number): Answer {
  const host = URL.parse(url)?.host ?? 'The authority'
  if (fetched.outcome !== 'answered') {
    throw new AcmeFailure(`${host} cannot be reached: ${fetched.reason}`)
  }
  const { status, headers, cut } = fetched
  const text = Buffer.from(fetched.body).toString('utf8')
  const body = readJsonObject(text) ?? {}
  if (status >= 200 && status < 300 && !cut) return { body, text, headers, at: now }
  const kind = /^urn:ietf:params:acme:error:(\w{1,40})$/.exec(String(body.type))?.[1]
  const date = Date.parse(headers.get('date') ?? '')
  const problem = problemText(body) ?? `it answers with status ${status}`
  const sentence = `${host} refuses: ${problem}.`.replace(/\.\.$/, '.')
  throw new AcmeFailure(sentence, {
    kind,
    retryAfterMs: readRetryAfter(headers.get('retry-after'), now),
    clockAheadMs: Number.isNaN(date) ? undefined : now - date,
  })
}

const SAID_MAX = 300

/** The text of a problem document, with what it says about the first name in it. */
function problemText(problem: unknown): string | undefined {
  if (problem === null || typeof problem !== 'object') return undefined
  const { detail, subproblems } = problem as { detail?: unknown; subproblems?: unknown }
  const [first] = Array.isArray(subproblems) ? subproblems : []
  const parts = [detail, (first as { detail?: unknown } | undefined)?.detail]
    .filter((one) => typeof one === 'string')
    .join(' ')
  return parts === '' ? undefined : cutText(cleanLine(parts), SAID_MAX)
}

function orderIn(body: Record<string, unknown>): Order {
  const { status, authorizations, finalize, certificate, error } = body
  if (typeof status !== 'string' || !Array.isArray(authorizations)) throw notAcme()
  return {
    status,
    authorizations: authorizations.map(httpsAddress),
    finalize: httpsAddress(finalize),
    certificate: certificate === undefined ? undefined : httpsAddress(certificate),
    error: problemText(error),
  }
}

type Challenge = {
  type?: unknown
  url?: unknown
  token?: unknown
  status?: unknown
  error?: unknown
}

// Base64url (RFC 8555, 8.3), because nothing else may become part of a path.
const TOKEN = /^[\w-]{16,200}$/

function authorizationIn(body: Record<string, unknown>): Authorization {
  const { status, identifier, challenges } = body
  const { value } = (identifier ?? {}) as { value?: unknown }
  if (typeof status !== 'string' || typeof value !== 'string' || !Array.isArray(challenges)) {
    throw notAcme()
  }
  const httpChallenge = (challenges as Array<Challenge | null>).find(
    (one) => one?.type === 'http-01',
  )
  const { url, token } = httpChallenge ?? {}
  const offered = httpChallenge && typeof token === 'string' && TOKEN.test(token)
  return {
    status,
    name: cutText(cleanLine(value), 100),
    challenge: offered
      ? { url: httpsAddress(url), token, status: String(httpChallenge.status) }
      : undefined,
    error: problemText(httpChallenge?.error),
  }
}

function httpsAddress(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url?.protocol !== 'https:') throw notAcme()
  return url.href
}

function notAcme(): AcmeFailure {
  return new AcmeFailure('The answer of the authority is not ACME.')
}
