import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import {
  mcpOutcome,
  type ProbeAttempt,
  type RpcMessage,
  rpcMessages,
} from '../answers/probe-attempt.ts'
import type { ProbeNetwork } from '../fact.ts'
import { followed } from '../follow.ts'

/** The result of one MCP request. */
export type McpReply =
  | { result: unknown; session: string | undefined; url: string }
  | { error: string; tried: ProbeAttempt }

/** A connection over Streamable HTTP, with the headers that each message carries. */
export type McpConnection = { outside: ProbeNetwork; url: string; headers: Record<string, string> }

type Message = { method: string; params: object }

// The longest known lists of tools have a few hundred kilobytes.
const ANSWER_BYTES = 1024 * 1024
const NOTE_MAX = 300
const SESSION_MAX = 1_000

/** Sends one request and reads its answer, of JSON or of a stream of events. Never throws. */
export async function request(
  talk: McpConnection,
  message: Message,
  id: number,
): Promise<McpReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...message })
  const fetched = await send(talk, body, ANSWER_BYTES)
  const tried = mcpOutcome(fetched)
  if (fetched.outcome !== 'answered') return { error: fetched.reason, tried }
  const answer = rpcMessages(fetched).find((one) => one.id === id || isRefusal(one))
  if (answer && 'result' in answer) {
    const session = fetched.headers.get('mcp-session-id') ?? undefined
    const sessionId = session !== undefined && session.length <= SESSION_MAX ? session : undefined
    return { result: answer.result, session: sessionId, url: fetched.url }
  }
  if (answer) return { error: refusalOf(answer), tried }
  if (fetched.cut === 'long') return { error: TOO_LONG, tried }
  return { error: NO_ANSWER[tried.outcome] ?? NO_RPC, tried }
}

/** Sends a notification. */
export async function sendMcpNotification(talk: McpConnection, method: string): Promise<void> {
  await send(talk, JSON.stringify({ jsonrpc: '2.0', method }), 1024)
}

/** Ends a session, so that the server keeps nothing for us. */
export async function endSession({ outside, url, headers }: McpConnection): Promise<void> {
  await outside.fetch(url, { method: 'DELETE', headers, maxBytes: 1024 })
}

function send({ outside, url, headers }: McpConnection, body: string, maxBytes: number) {
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
const NO_ANSWER: Partial<Record<ProbeAttempt['outcome'], string>> = {
  gated: 'It asks for credentials.',
  'wrong-transport': 'It does not take MCP over Streamable HTTP at this address.',
  dead: 'It answers with an error of the server.',
  unknown: 'It asks not to be called so often.',
}

/** An error without the id of the request. */
function isRefusal({ id, error }: RpcMessage): boolean {
  return (id === null || id === undefined) && error !== undefined
}

function refusalOf({ error }: RpcMessage): string {
  const message = memberOf(error, 'message')
  return cleanLine(cutText(typeof message === 'string' ? message : NO_RPC, NOTE_MAX))
}

/** Tools listed for one server; more would make every list long. */
export const TOOLS_MAX = 200

/** The named tools of one page of `tools/list`; undefined if there is no list in it. */
export function toolsIn(result: unknown): ToolDefinition[] | undefined {
  const list = memberOf(result, 'tools')
  if (!Array.isArray(list)) return undefined
  return list.filter((tool): tool is ToolDefinition => {
    const name = memberOf(tool, 'name')
    return typeof name === 'string' && name.trim() !== ''
  })
}

/** A field of an unchecked value. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
