import { PRIVATE } from '../../../platform/outgoing/guarded-fetch.ts'
import type { ProbeOutcome, Timed, UnknownReason } from '../fact.ts'

/** The result of one attempt to reach a tool. */
export type ProbeAttempt = {
  outcome: ProbeOutcome
  status: number | null
  ms: number | null
  authRequired: boolean
  /** Why it is not known whether the tool is up; missing if it is known. */
  unknown?: UnknownReason
  /** The reason of a failure, for the person who runs the probe; never served. */
  why?: string
}

/** A status with one meaning for every request; the first matching row decides. */
const BY_STATUS: ReadonlyArray<readonly [from: number, to: number, outcome: ProbeOutcome]> = [
  // A redirect that leads nowhere.
  [300, 399, 'unknown'],
  // Credentials or payment: the tool is up.
  [401, 403, 'gated'],
  // The address does not exist; the tool may still be up, without a page at its root.
  [404, 404, 'unknown'],
  // It is up and refuses this kind of request.
  [405, 406, 'wrong-transport'],
  // About this request or this place, not about the tool.
  [408, 408, 'unknown'],
  [410, 410, 'dead'],
  [415, 415, 'wrong-transport'],
  [421, 421, 'unknown'],
  [425, 425, 'unknown'],
  [426, 426, 'wrong-transport'],
  // Rate limited: says nothing about the tool.
  [429, 429, 'unknown'],
  [451, 451, 'unknown'],
  [501, 501, 'wrong-transport'],
  [500, 599, 'dead'],
  [100, 499, 'open'],
]

/** Interprets the answer to a plain request. */
export function httpOutcome(fetched: Timed): ProbeAttempt {
  if (fetched.outcome !== 'answered') return withoutAnswer(fetched)
  return answered(fetched, byStatus(fetched.status))
}

/** Interprets the answer to an MCP message: any JSON-RPC in it means that MCP is spoken. */
export function mcpOutcome(fetched: Timed): ProbeAttempt {
  if (fetched.outcome !== 'answered') return withoutAnswer(fetched)
  const outcome = byStatus(fetched.status)
  const isOther = fetched.status === 404 || fetched.status < 300
  if (outcome === 'gated' || outcome === 'dead' || (outcome === 'unknown' && !isOther)) {
    return answered(fetched, outcome)
  }
  if (hasRpcMessage(fetched)) return answered(fetched, 'open')
  // Some servers say in plain text that a session is missing.
  if (outcome === 'wrong-transport' || fetched.status === 400) {
    return answered(fetched, 'wrong-transport')
  }
  return answered(fetched, 'not-mcp')
}

function byStatus(status: number): ProbeOutcome {
  return BY_STATUS.find(([from, to]) => from <= status && status <= to)?.[2] ?? 'unknown'
}

function answered(
  { status, tookMs }: { status: number; tookMs?: number },
  outcome: ProbeOutcome,
): ProbeAttempt {
  const unknown = unknownReason(outcome, status)
  return {
    outcome,
    status,
    ms: tookMs ?? null,
    authRequired: outcome === 'gated',
    ...(unknown === undefined ? {} : { unknown }),
  }
}

const BY_UNKNOWN_STATUS: Record<number, UnknownReason> = { 404: 'not-found', 429: 'rate-limited' }

/** Why an answer does not say whether the tool is up; undefined if it says. */
function unknownReason(outcome: ProbeOutcome, status: number): UnknownReason | undefined {
  if (outcome === 'not-mcp') return BY_UNKNOWN_STATUS[status] ?? 'not-mcp'
  return outcome === 'unknown' ? (BY_UNKNOWN_STATUS[status] ?? 'unclear-answer') : undefined
}

const BY_HOST = { robots: 'opted-out', pause: 'rate-limited' } as const

/** A blocked request says nothing about the tool; no answer means that it is down. */
function withoutAnswer(fetched: Exclude<Timed, { outcome: 'answered' }>): ProbeAttempt {
  const none = { status: null, ms: null, authRequired: false, why: fetched.reason }
  if (fetched.outcome !== 'blocked' && fetched.outcome !== 'aborted') {
    return { outcome: 'dead', ...none }
  }
  return { outcome: 'unknown', ...none, unknown: reasonNotAsked(fetched) }
}

function reasonNotAsked({ host, reason }: { host?: 'robots' | 'pause'; reason: string }) {
  if (host) return BY_HOST[host]
  return reason === PRIVATE ? 'private-address' : 'address-not-allowed'
}

type Answered = Extract<Timed, { outcome: 'answered' }>

/** An unchecked JSON-RPC message. */
export type RpcMessage = { jsonrpc: '2.0' } & Record<string, unknown>

/** Every JSON-RPC message of an answer, from JSON or from the events received so far. */
export function rpcMessages({ headers, body, cut }: Answered): RpcMessage[] {
  const type = (headers.get('content-type') ?? '').toLowerCase()
  const text = new TextDecoder().decode(body)
  if (type.startsWith('text/event-stream'))
    return eventData(text, cut !== false).flatMap(messagesIn)
  return cut === false ? messagesIn(text) : []
}

function hasRpcMessage(answer: Answered): boolean {
  return rpcMessages(answer).length > 0
}

/** The data of each complete event; an unfinished one counts once the stream has ended. */
function eventData(text: string, unfinished: boolean): string[] {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/)
  if (unfinished) events.pop()
  return events.flatMap((event) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5)).join('\n')]
  })
}

function messagesIn(text: string): RpcMessage[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isRpc)
  } catch {
    return []
  }
}

function isRpc(value: unknown): value is RpcMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  )
}
