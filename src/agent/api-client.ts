import { EXIT } from '../platform/command.ts'
import type { ReadClientConfig } from '../platform/config/config-reader.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import { readJsonObject } from '../platform/json.ts'
import { VERSION } from '../platform/program.ts'
import { EndsWith } from '../platform/terminal/ends-with.ts'
import { Interrupted } from '../platform/terminal/interrupted.ts'
import { cleanLine } from '../platform/text.ts'

/** The server could not be reached, or refused: one sentence, with the cure. */
export class NoService extends Failure {
  /** No reply came: the server may be restarting, and the same call may work soon. */
  readonly passing: boolean
  /**
   * Passing, and a server was there a moment ago: it has ended, or a proxy in front of it says so.
   */
  readonly lost: boolean
  /** The problem, without the cure. */
  readonly what: string

  constructor(
    sentence: string,
    more: {
      passing?: boolean
      lost?: boolean
      /** The code of the server's refusal. */
      code?: 'unauthenticated' | 'forbidden'
      what?: string
      cause?: unknown
    } = {},
  ) {
    super(more.code ?? 'unavailable', sentence, { cause: more.cause })
    this.name = 'NoService'
    this.lost = more.lost ?? false
    this.passing = more.passing ?? this.lost
    this.what = more.what ?? sentence.replace(/\.$/, '')
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

export type ApiClient = {
  /**
   * Calls `/api/v1` + path. Throws `NoService`, and `WrongUsage` for input that the server cannot
   * read.
   */
  call<T>(method: Method, path: string, more?: CallOptions): Promise<T>
}

type CallOptions = {
  body?: object
  /** How long the server may hold the call, in milliseconds. */
  heldMs?: number
  signal?: AbortSignal
}

const DEFAULT_URL = 'http://localhost:8484'
// Longer than the server itself may take: the server is not answering.
const NETWORK_MS = 30_000

/** The server of BECKON_URL with the token of BECKON_TOKEN. Throws `WrongUsage` without a token. */
function openClient(readClientConfig: ReadClientConfig): ApiClient {
  const { url = DEFAULT_URL, token } = readClientConfig()
  if (!token) {
    throw new WrongUsage('BECKON_TOKEN is not set; make a token with "beckon key create".')
  }
  // No header could hold it, and the failure would look like one of the network.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new WrongUsage(
      'BECKON_TOKEN is not a token: one is a single word, like bk_…; make one with "beckon key create".',
    )
  }
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': `beckon/${VERSION}`,
  }
  return {
    async call<T>(method: Method, path: string, more: CallOptions = {}) {
      const limit = AbortSignal.timeout(NETWORK_MS + (more.heldMs ?? 0))
      const signal = more.signal ? AbortSignal.any([more.signal, limit]) : limit
      const body = more.body && { body: JSON.stringify(more.body) }
      const init: RequestInit = { method, headers, signal, redirect: 'manual', ...body }
      return (await send(url, `/api/v1${path}`, init, more.signal)) as T
    },
  }
}

async function send(
  url: string,
  path: string,
  init: RequestInit,
  interrupt: AbortSignal | undefined,
): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetch(url + path, init)
    text = await response.text()
  } catch (cause) {
    interrupt?.throwIfAborted()
    const why = reason(cause)
    const what = `The server at ${url} cannot be reached (${why})`
    const more = { passing: true, lost: why === 'ECONNRESET', what, cause }
    throw new NoService(`${what}; check BECKON_URL and that it runs.`, more)
  }
  if (response.status === 204) return undefined
  const reply = readJsonObject(text)
  if (response.ok && reply !== undefined) return reply
  throw refusal(url, response, reply as Partial<{ detail: string; code: string }> | undefined)
}

function refusal(
  url: string,
  { status }: Response,
  problem: Partial<{ detail: string; code: string }> | undefined,
): Error {
  if (problem?.code === undefined) {
    return new NoService(
      `${url} answered ${status}, and not as a Beckon server does; check BECKON_URL.`,
      { lost: status >= 502, what: `${url} answered ${status}` },
    )
  }
  const detail = cleanLine(problem.detail ?? '')
  if (status === 422) return new WrongUsage(detail)
  if (status === 401) {
    return new NoService(
      `The server at ${url} does not accept the token in BECKON_TOKEN; make one with "beckon key create".`,
      { code: 'unauthenticated' },
    )
  }
  const what = `The server at ${url} is not available`
  if (status === 403) return new NoService(detail, { code: 'forbidden' })
  return new NoService(detail, status === 503 ? { passing: true, what } : {})
}

function reason(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string }
  if (name === 'TimeoutError') return 'it does not answer'
  return typeof code === 'string' ? code : 'the connection failed'
}

/** Runs a command that calls a server; if the server cannot be used, the exit code is 5. */
export async function asClient(
  readClientConfig: ReadClientConfig,
  work: (client: ApiClient) => Promise<number>,
): Promise<number> {
  try {
    return await work(openClient(readClientConfig))
  } catch (error) {
    if (error instanceof WrongUsage || error instanceof EndsWith) throw error
    if (error instanceof Interrupted) throw error
    // Never 1, which scripts would read as a no.
    throw new EndsWith(EXIT.unreachable, error)
  }
}
