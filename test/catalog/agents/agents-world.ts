import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { AGENTS_PATH } from '../../../src/catalog/agents/address.ts'

const INFO = { name: 'test-client', version: '1.0.0' }

export type ToolResult = {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: Array<{ type: string; text: string }>
}

/** What both official clients have, whatever their era. */
export type Speaker = {
  listTools(): Promise<{ tools: Array<{ name: string; outputSchema?: object }> }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<ToolResult>
  getInstructions(): string | undefined
  close(): Promise<void>
}

async function oldClient(url: URL): Promise<Speaker> {
  const client = new Client(INFO)
  const transport = new StreamableHTTPClientTransport(url)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client as unknown as Speaker
}

async function modernClient(url: URL, mode: 'auto' | { pin: string }): Promise<Speaker> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode } })
  await client.connect(new ModernTransport(url))
  if (client.getNegotiatedProtocolVersion() !== '2026-07-28') throw new Error('not modern')
  return client as unknown as Speaker
}

/** Each connects to the server at `url` without credentials. */
export const CLIENTS: Array<[name: string, connect: (url: string) => Promise<Speaker>]> = [
  ['the 1.x client', (url) => oldClient(new URL(AGENTS_PATH, url))],
  ['the 2.x client, negotiating', (url) => modernClient(new URL(AGENTS_PATH, url), 'auto')],
  [
    'the 2.x client, pinned to 2026-07-28',
    (url) => modernClient(new URL(AGENTS_PATH, url), { pin: '2026-07-28' }),
  ],
]

/** One POST as it is sent. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(new URL(AGENTS_PATH, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
