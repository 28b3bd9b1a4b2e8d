import { cleanLine, cutText } from '../../platform/text.ts'

export type ProbeOptions = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/**
 * The response of one of our own addresses, limited in size and time in case something else
 * answers.
 */
export type Probed =
  | {
      answered: true
      status: number
      headers: Headers
      text: string
      /** From the first bytes of the body to its end, in milliseconds. */
      spreadMs: number
    }
  | { answered: false; why: string }

const TIMEOUT_MS = 4_000
const BODY_MAX = 256 * 1024

/** Sends one request without following redirects; never throws, and ends within 4 s. */
export async function probe(url: string, options: ProbeOptions = {}): Promise<Probed> {
  const stop = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<Probed>()
  const timer = setTimeout(() => {
    resolve({ answered: false, why: 'no complete answer within 4 s' })
    stop.abort()
  }, TIMEOUT_MS)
  // A DNS lookup ignores the signal, so the timer must not wait for it.
  const probing = ask(url, options, stop.signal)
  try {
    return await Promise.race([probing, late])
  } finally {
    clearTimeout(timer)
  }
}

async function ask(url: string, options: ProbeOptions, signal: AbortSignal): Promise<Probed> {
  try {
    const init: RequestInit = { ...options, signal, redirect: 'manual', keepalive: false }
    const response = await fetch(url, init)
    const { status, headers } = response
    return { answered: true, status, headers, ...(await read(response)) }
  } catch (error) {
    return { answered: false, why: reason(error) }
  }
}

async function read(response: Response): Promise<{ text: string; spreadMs: number }> {
  const decoder = new TextDecoder()
  let text = ''
  let first: number | undefined
  const chunks = (response.body ?? []) as unknown as AsyncIterable<Uint8Array>
  for await (const chunk of chunks) {
    first ??= performance.now()
    text += decoder.decode(chunk, { stream: true })
    // Leaving the loop cancels the rest.
    if (text.length > BODY_MAX) break
  }
  return { text, spreadMs: first === undefined ? 0 : performance.now() - first }
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string }
  if (code === 'ConnectionRefused' || code === 'ECONNREFUSED') return 'the connection is refused'
  if (code === 'FailedToOpenSocket' || code === 'ENOTFOUND') return 'the name or host is not found'
  if (typeof code === 'string') return cutText(cleanLine(code), 60)
  return cutText(cleanLine(message ?? 'the connection failed'), 100)
}
