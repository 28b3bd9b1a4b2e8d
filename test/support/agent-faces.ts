import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { MCP_PATH } from '../../src/ask/mcp/route.ts'

export type Json = Record<string, unknown>

const PATHS: Record<string, string> = {
  ask_user: 'questions',
  propose_scope: 'scopes',
  send_notification: 'notifications',
}
const INFO = { name: 'test-client', version: '1.0.0' }

/**
 * Calls a tool over REST; the client's name of the call, which MCP has in `_meta`, becomes
 * `requestId`, or for a proposal and a notification its `Idempotency-Key`.
 */
export async function askOverRest(
  url: string,
  token: string,
  args: Json,
  meta: Json = {},
  name = 'ask_user',
) {
  const id = meta.callId ?? meta['claudecode/toolUseId']
  const isQuestion = name === 'ask_user'
  const response = await fetch(`${url}/api/v1/${PATHS[name]}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(id && !isQuestion ? { 'idempotency-key': String(id) } : {}),
    },
    body: JSON.stringify({ ...args, ...(id && isQuestion ? { requestId: id } : {}) }),
  })
  return (await response.json()) as Json
}

/** Calls a tool with the official client of that era; resolves to the structured result. */
export async function callOverMcp(
  version: '2025-11-25' | '2026-07-28',
  url: string,
  token: string,
  args: Json,
  meta?: Json,
  name = 'ask_user',
): Promise<Json> {
  const address = new URL(url + MCP_PATH)
  const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } }
  const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) }
  if (version === '2025-11-25') {
    const client = new Client(INFO)
    const transport = new StreamableHTTPClientTransport(address, options)
    await client.connect(transport as Parameters<typeof client.connect>[0])
    const result = await client.callTool(params)
    await client.close()
    return (result.structuredContent ?? result) as Json
  }
  const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: version } } })
  await client.connect(new ModernTransport(address, options))
  const result = await client.callTool(params)
  await client.close()
  return (result.structuredContent ?? result) as Json
}
