import { type Static, Type } from '@sinclair/typebox'
import type { Fetched } from '../../../platform/outgoing/guarded-fetch.ts'
import { PaidCheck } from '../../records/paid-check.ts'
import type { ProbeNetwork } from '../fact.ts'
import { readTerms } from './read-terms.ts'

export const PaidFact = Type.Omit(PaidCheck, ['url', 'checkedAt', 'changedAt', 'prices'], {
  additionalProperties: false,
})
export type PaidFact = Static<typeof PaidFact>
type Method = 'GET' | 'POST'
/**
 * `method`: the documented one; without it GET is tried, then the method that the address names.
 */
export type PaidAddress = { url: string; method?: Method }

type EndpointReply = { method: Method; answer: Fetched }

const HOPS_MAX = 3
const BODY_MOST = 256 * 1024
const TIMEOUT_MS = 15_000
const HEADERS = { accept: 'application/json' }
// The redirects that keep the method.
const SAME_METHOD = new Set([307, 308])
const REDIRECTS = new Set([301, 302, 303, ...SAME_METHOD])
// Statuses that say something about the moment, not about the address.
const NOT_NOW = new Set([408, 425, 429])

/**
 * Requests a paid address without a payment. Nothing is ever paid, and no header that could carry a
 * payment is sent. While it does not answer, its last terms are kept.
 */
export async function checkEndpoint(
  outside: ProbeNetwork,
  address: PaidAddress,
  previous: PaidFact | undefined,
): Promise<PaidFact> {
  const reply = await askAsDocumented(outside, address, previous)
  return factOf(reply, previous)
}

async function askAsDocumented(
  outside: ProbeNetwork,
  { url, method }: PaidAddress,
  previous: PaidFact | undefined,
): Promise<EndpointReply> {
  if (method) return await ask(outside, url, method)
  // Starting with the method that worked last saves one request a day.
  const first: Method = previous?.answer === 'terms' && previous.method === 'POST' ? 'POST' : 'GET'
  const reply = await ask(outside, url, first)
  if (!isWrongMethod(reply.answer)) return reply
  if (first === 'POST') return await ask(outside, url, 'GET')
  return takesPost(reply.answer) ? await ask(outside, url, 'POST') : reply
}

async function ask(outside: ProbeNetwork, url: string, method: Method): Promise<EndpointReply> {
  let at = url
  for (let hop = 0; ; hop++) {
    const answer = await outside.fetch(at, {
      method,
      headers: method === 'POST' ? { ...HEADERS, 'content-type': 'application/json' } : HEADERS,
      ...(method === 'POST' ? { body: '{}' } : {}),
      timeoutMs: TIMEOUT_MS,
      maxBytes: BODY_MOST,
    })
    const next = hop < HOPS_MAX ? redirectOf(answer, method) : undefined
    const target = next === undefined ? undefined : URL.parse(next, at)
    if (!target) return { method, answer }
    at = target.href
  }
}

function redirectOf(answer: Fetched, method: Method): string | undefined {
  if (answer.outcome !== 'answered') return undefined
  const follows = method === 'GET' ? REDIRECTS : SAME_METHOD
  return follows.has(answer.status) ? (answer.headers.get('location') ?? undefined) : undefined
}

function isWrongMethod(answer: Fetched): boolean {
  return answer.outcome === 'answered' && answer.status === 405
}

function takesPost(answer: Fetched): boolean {
  if (answer.outcome !== 'answered') return false
  const allow = answer.headers.get('allow')
  return allow === null || /\bPOST\b/i.test(allow)
}

function factOf({ method, answer }: EndpointReply, previous: PaidFact | undefined): PaidFact {
  const unread = (word: 'silent' | 'not-asked', status: number | null, note: string): PaidFact => ({
    ...(previous ?? { version: null, offers: [] }),
    answer: word,
    status,
    method,
    note,
  })
  if (answer.outcome !== 'answered') {
    const isAsked = answer.outcome !== 'blocked' && answer.outcome !== 'aborted'
    return unread(isAsked ? 'silent' : 'not-asked', null, answer.reason)
  }
  const { status } = answer
  const fields = { status, method, version: null, offers: [] }
  if (status === 402) return demandOf(answer, method)
  if (status >= 500 || NOT_NOW.has(status))
    return unread('silent', status, `It answered ${status}.`)
  if (status < 300) return { ...fields, answer: 'free', note: 'It answered without a payment.' }
  if (status === 401 || status === 403) {
    return { ...fields, answer: 'locked', note: 'It asks for credentials, not for a payment.' }
  }
  if (status === 404 || status === 410) {
    return { ...fields, answer: 'missing', note: 'There is nothing at this address.' }
  }
  const note =
    status < 400 ? 'It leads elsewhere.' : `It answered ${status} before it asked for a payment.`
  return { ...fields, answer: 'unreadable', note }
}

function demandOf(answer: Extract<Fetched, { outcome: 'answered' }>, method: Method): PaidFact {
  const terms = readTerms(answer)
  const fields = { status: answer.status, method, version: terms.version ?? null }
  if ('why' in terms) {
    const note = `It asks for a payment, but ${terms.why}.`
    return { ...fields, answer: 'unreadable', offers: [], note }
  }
  return { ...fields, ...terms, answer: 'terms' }
}
