import { modernHeaders, modernMessage, oldHeaders, oldMessage } from '../bench/beckon.ts'
import { jsonOf, type Reply, type Send } from './wire.ts'

const MCP = '/api/mcp/mcp'

export type Era = 'old' | 'modern'

/** A call of a tool in one of the two eras; `asJson` is a client that takes no streams. */
export function toolCall(
  how: { era: Era; token: string; asJson?: boolean },
  name: string,
  args: object,
): Send {
  const { era, token, asJson = false } = how
  const params = { name, arguments: args }
  const headers = era === 'old' ? oldHeaders() : modernHeaders('tools/call', name)
  const message = era === 'old' ? oldMessage : modernMessage
  return {
    ...{ method: 'POST', path: MCP, body: message('tools/call', params) },
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(asJson ? { accept: 'application/json' } : {}),
    },
  }
}

/** A call as a person's page makes it. */
export function personCall(origin: string, cookie: string, path: string, body: object): Send {
  return {
    ...{ method: 'POST', path: `/api/v1${path}`, body: JSON.stringify(body) },
    headers: { origin, cookie, 'content-type': 'application/json' },
  }
}

export function tokenGet(token: string, path: string): Send {
  return { method: 'GET', path: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } }
}

/** What a tool said, or what REST said: the same fields. */
export function resultOf(reply: Reply): Record<string, unknown> {
  const json = jsonOf(reply)
  const { structuredContent } = (json.result ?? {}) as { structuredContent?: object }
  return (structuredContent ?? json) as Record<string, unknown>
}
