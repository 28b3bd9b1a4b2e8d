import type { ProbeOutcome, Timed } from '../fact.ts'

/** The result of one attempt to reach a tool. */
export type ProbeAttempt = {
  outcome: ProbeOutcome
  status: number | null
  ms: number | null
  authRequired: boolean
  /** What went wrong, for the person who runs the probe; never served. */
  why?: string
}

/** A status with one meaning for every request; the first matching row decides. */
const BY_STATUS: ReadonlyArray<readonly [from: number, to: number, outcome: ProbeOutcome]> = [
  // Credentials or payment: the tool is up.
  [401, 403, 'gated'],
  // The address does not exist; the tool may still be up, without a page at its root.
  [404, 404, 'unknown'],
  // It is up and refuses this kind of request.
  [405, 406, 'wrong-transport'],
  [408, 408, 'dead'],
  [410, 410, 'dead'],
  [415, 415, 'wrong-transport'],
  [426, 426, 'wrong-transport'],
  // Rate limited: says nothing about the tool.
  [429, 429, 'unknown'],
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
  if (outcome === 'gated' || outcome === 'dead' || fetched.status === 429) {
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
  return BY_STATUS.find(([from, to]) => from <= status && status <= to)?.[2] ?? 'dead'
}

function answered(
  { status, tookMs }: { status: number; tookMs?: number },
  outcome: ProbeOutcome,
): ProbeAttempt {
  return { outcome, status, ms: tookMs ?? null, authRequired: outcome === 'gated' }
}

/** A blocked request says nothing about the tool; no answer means that it is down. */
function withoutAnswer(fetched: Exclude<Timed, { outcome: 'answered' }>): ProbeAttempt {
  const isOurs = fetched.outcome === 'blocked' || fetched.outcome === 'aborted'
  const outcome = isOurs ? 'unknown' : 'dead'
  return { outcome, status: null, ms: null, authRequired: false, why: fetched.reason }
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
