import { cleanLine, cutText } from '../../platform/text.ts'
import { followed } from './follow.ts'
import { field } from './mcp-tools.ts'
import { mcpOutcome, type Tried } from './outcome.ts'
import type { Polite } from './polite.ts'
import { type RpcMessage, rpcMessages } from './rpc-message.ts'

/** What came of one MCP request. */
export type Said =
  | { result: unknown; session: string | undefined; url: string }
  | { error: string; tried: Tried }

/** A conversation over Streamable HTTP: what is sent with each message. */
export type Talk = { outside: Pick<Polite, 'fetch'>; url: string; headers: Record<string, string> }

type Message = { method: string; params: object }

// The longest lists of tools that are known have a few hundred kilobytes.
const ANSWER_BYTES = 1024 * 1024
const NOTE_MAX = 300
const SESSION_MAX = 1_000

/** Sends one request and reads its answer, of JSON or of a stream of events. Never throws. */
export async function request(talk: Talk, message: Message, id: number): Promise<Said> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...message })
  const fetched = await send(talk, body, ANSWER_BYTES)
  const tried = mcpOutcome(fetched)
  if (fetched.outcome !== 'answered') return { error: fetched.reason, tried }
  const answer = rpcMessages(fetched).find((one) => one.id === id || isRefusal(one))
  if (answer && 'result' in answer) {
    const session = fetched.headers.get('mcp-session-id') ?? undefined
    const kept = session !== undefined && session.length <= SESSION_MAX ? session : undefined
    return { result: answer.result, session: kept, url: fetched.url }
  }
  if (answer) return { error: refusalOf(answer), tried }
  if (fetched.cut === 'long') return { error: TOO_LONG, tried }
  return { error: NO_ANSWER[tried.outcome] ?? NO_RPC, tried }
}

/** Sends what has no answer. */
export async function tell(talk: Talk, method: string): Promise<void> {
  await send(talk, JSON.stringify({ jsonrpc: '2.0', method }), 1024)
}

/** Ends a session, so that the server keeps nothing for us. */
export async function end({ outside, url, headers }: Talk): Promise<void> {
  await outside.fetch(url, { method: 'DELETE', headers, maxBytes: 1024 })
}

function send({ outside, url, headers }: Talk, body: string, maxBytes: number) {
  return followed(outside, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
    maxBytes,
  })
}

const TOO_LONG = 'Its answer is longer than 1 MiB.'
const NO_RPC = 'It does not answer with MCP.'
const NO_ANSWER: Partial<Record<Tried['outcome'], string>> = {
  gated: 'It asks for credentials.',
  'wrong-transport': 'It does not take MCP over Streamable HTTP at this address.',
  dead: 'It answers with an error of the server.',
  unknown: 'It asks not to be called so often.',
}

/** An error that a server could not give the id of the request. */
function isRefusal({ id, error }: RpcMessage): boolean {
  return (id === null || id === undefined) && error !== undefined
}

function refusalOf({ error }: RpcMessage): string {
  const message = field(error, 'message')
  return cleanLine(cutText(typeof message === 'string' ? message : NO_RPC, NOTE_MAX))
}
