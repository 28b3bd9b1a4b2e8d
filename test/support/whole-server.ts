import type { App } from '../../src/app.ts'
import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { MCP_PATH } from '../../src/ask/mcp/route.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { type How, startedApp } from './started-app.ts'

type Json = Record<string, unknown>

/** The server as it is shipped, in this process, with a workspace and a way to make tokens. */
export type WholeServer = AsyncDisposable & {
  app: App
  dataFolder: string
  url: string
  workspaceId: WorkspaceId
  /** `by` is the person who made it; nobody unless said, as on the command line. */
  token(more?: { test?: boolean; workspaceId?: WorkspaceId; by?: 'owner' }): Promise<string>
  /** One JSON-RPC message; without a token when none is given. */
  rpc(method: string, params?: Json, headers?: Json): Promise<{ status: number; json: Json }>
  /** `tools/call`; its structured content, or the result when it has none. */
  call(token: string, name: string, args: Json, headers?: Json): Promise<Json>
}

export async function wholeServer(how: How = {}): Promise<WholeServer> {
  const started = await startedApp(how)
  const { app } = started
  const { db } = app
  const clock = systemClock
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const owner = { id: 'owner', name: 'Ada', email: 'ada@example.com', role: 'owner' } as const
  await db.write((tx) => insertPerson(tx, { ...owner, workspaceId }, now))

  async function rpc(method: string, params: Json = {}, headers: Json = {}) {
    const response = await fetch(`${app.url}${MCP_PATH}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { status: response.status, json: messageOf(await response.text()) }
  }

  return {
    app,
    dataFolder: started.dataFolder,
    url: app.url,
    workspaceId,
    rpc,
    async token(more = {}) {
      const created = await createToken({ db, clock }, { workspaceId, name: 'agent', ...more })
      return created.token
    },
    async call(token, name, args, headers = {}) {
      const authorization = `Bearer ${token}`
      const params = { name, arguments: args }
      const { json } = await rpc('tools/call', params, { authorization, ...headers })
      const result = (json.result ?? json) as Json
      return (result.structuredContent ?? result) as Json
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** The JSON-RPC message of a reply, sent as JSON or as the last event of a stream. */
function messageOf(text: string): Json {
  const events = [...text.matchAll(/^data: (.*)$/gm)]
  return JSON.parse(events.at(-1)?.[1] ?? (text || '{}'))
}
