import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Measured, ROOT, startMeasured } from './process.ts'

// One token may call a hundred times a second; together these may call as often as the server can.
const TOKENS = 50

export type Beckon = Measured & { tokens: string[]; env: Record<string, string> }

/**
 * Beckon as people run it, with tokens; from source unless `program` is another. `fill` may put something into its folder first.
 * `known` are the tokens of a database that it shares with another.
 */
export async function startBeckon(
  env: Record<string, string> = {},
  fill?: (folder: string) => void | Promise<void>,
  existing?: string[],
  program = [process.execPath, join(ROOT, 'src', 'main.ts')],
): Promise<Beckon> {
  let tokens: string[] = []
  const command = async (folder: string) => {
    tokens = existing ?? (await makeTokens(folder, env))
    await fill?.(folder)
    return [...program, 'serve', '--port', '0', '--data', folder]
  }
  return Object.assign(
    await startMeasured(command, { BECKON_TOKEN_LIMIT_FACTOR: '1000', ...env }),
    { tokens, env },
  )
}

/** The database of a server, as a command opens it. */
export function openItsDatabase(folder: string, env: Record<string, string>): Promise<OpenDb> {
  const { BECKON_DATABASE_URL: url } = env
  const database = url === undefined ? undefined : { url, listenUrl: undefined, pool: 2 }
  return openDatabase({ dataFolder: folder, database })
}

async function makeTokens(folder: string, env: Record<string, string>): Promise<string[]> {
  await using db = await openItsDatabase(folder, env)
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const make = () => createToken({ db, clock }, { workspaceId, name: 'bench' })
  const results = await Promise.all(Array.from({ length: TOKENS }, make))
  return results.map(({ token }) => token)
}

/** Each in turn, over and over. */
export function inTurn<T>(all: readonly T[]): () => T {
  let next = 0
  return () => all[next++ % all.length] as T
}

export const MCP_PATH = '/api/mcp/mcp'

const COMMON = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Headers of the eras; the modern one says method and tool in headers too. */
export function oldHeaders(token?: string): Record<string, string> {
  return {
    ...COMMON,
    'mcp-protocol-version': '2025-11-25',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
}

export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    ...COMMON,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name ? { 'mcp-name': name } : {}),
  }
}

export function oldMessage(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

export function modernMessage(method: string, params: object = {}): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })
}

let count = 0

/** A question of its own; `load.ts` counts its number on. */
export function askMessage(more: object = {}): string {
  const version = String(++count).padStart(10, '0')
  const question = `Deploy the version ${version} to production now?`
  const ask = { question, agentName: 'Bench - shop' }
  return oldMessage('tools/call', { name: 'ask_user', arguments: { ...ask, ...more } })
}
