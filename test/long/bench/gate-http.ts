import { join } from 'node:path'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { changeUpstream } from '../../../src/ask/gates/change-upstreams.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { confirmTool } from '../../support/confirm-tool.ts'
import { type Beckon, oldHeaders, oldMessage, openItsDatabase, startBeckon } from './beckon.ts'
import { percentile } from './hook.ts'
import { startMeasured } from './process.ts'

const RELAY = join(import.meta.dir, 'servers', 'relay.ts')

export type Call = (input: object) => Promise<string>

/** A tool behind a gate over HTTP, which an owner has confirmed, and the same tool without a gate. */
export async function openGateOverHttp(program: string[]) {
  const server = join(import.meta.dir, 'servers', 'echo-http.ts')
  const echo = await startMeasured(() => [process.execPath, server])
  const env = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const relay = await startMeasured(() => [process.execPath, RELAY, `${echo.url}/mcp`])
  const beckon = await startBeckon(env, undefined, undefined, program)
  await addUpstream(beckon, `${echo.url}/mcp`)
  const [token = ''] = beckon.tokens
  const gated = await openClient(`${beckon.url}/gate/echo`, oldHeaders(token))
  const direct = await openClient(`${echo.url}/mcp`, oldHeaders())
  const relayed = await openClient(relay.url, oldHeaders())
  await useDatabase(beckon, async (db, workspaceId) => confirmTool(db, workspaceId, 'echo'))
  await gated.list()
  return {
    calls: { through: gated.call, straight: direct.call, relayed: relayed.call },
    async [Symbol.asyncDispose]() {
      await beckon[Symbol.asyncDispose]()
      await relay[Symbol.asyncDispose]()
      await echo[Symbol.asyncDispose]()
    },
  }
}

async function useDatabase<T>(
  { folder, env }: Beckon,
  use: (db: Awaited<ReturnType<typeof openItsDatabase>>, id: Person['workspaceId']) => Promise<T>,
): Promise<T> {
  await using db = await openItsDatabase(folder, env)
  const now = clock.now()
  return await use(db, await db.write((tx) => homeWorkspace(tx, newId('ws', now), now)))
}

async function addUpstream(beckon: Beckon, url: string): Promise<void> {
  await useDatabase(beckon, async (db, workspaceId) => {
    const owner = {
      ...{ id: 'owner' as PersonId, name: 'Ada', email: 'ada@example.com' },
      ...{ role: 'owner' as const, workspaceId },
    }
    await db.write((tx) => insertPerson(tx, owner, clock.now()))
    const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
    const upstream = { name: 'echo', url, headerName: 'X-Key', secret: 'k' }
    await changeUpstream({ db, clock, outside }, owner as unknown as Person, upstream)
  })
}

async function openClient(url: string, headers: Record<string, string>) {
  const post = (body: string, more: object = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT }
  const hello = await post(oldMessage('initialize', greeting))
  await hello.text()
  const session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' }
  const list = async () => void (await (await post(oldMessage('tools/list'), session)).text())
  await list()
  const call: Call = async (input) => {
    const params = { name: 'echo', arguments: input }
    const text = await (await post(oldMessage('tools/call', params), session)).text()
    if (!text.includes('"content"') || text.includes('"isError"')) throw new Error(text)
    return text
  }
  return { list, call }
}

const CLIENT = { name: 'bench', version: '1' }

/** All in turn, so that what else the machine does strikes all: the medians, in milliseconds. */
export async function measureInTurn<Name extends string>(
  calls: Readonly<Record<Name, Call>>,
  input: object,
  count: number,
): Promise<Record<Name, number>> {
  const all = Object.entries<Call>(calls).map(([name, call]) => ({
    name,
    call,
    times: [] as number[],
  }))
  const warmUp = Math.ceil(count / 10)
  for (let at = 0; at < count + warmUp; at++) {
    for (const { call, times } of all) {
      const startedAt = performance.now()
      await call(input)
      if (at >= warmUp) times.push(performance.now() - startedAt)
    }
  }
  const medians = all.map(({ name, times }) => [name, percentile(times, 0.5)])
  return Object.fromEntries(medians) as Record<Name, number>
}
