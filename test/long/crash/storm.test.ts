import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { SEED } from '../../support/seed.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { howOften } from '../../support/share.ts'
import { until } from '../../support/until.ts'
import { seeded } from './random.ts'
import { readData } from './read-data.ts'
import { type CrashWorld, crashWorld, letClaimsRunOut, signIn } from './world.ts'

const ROUNDS = howOften(1, 30)
const CALLERS = 100

type Result = { correlationId?: string; status?: string; value?: string }

/** Asks under `key` and waits, over and over, until an answer comes: a client that has lost replies. */
async function insist(url: string, { agent }: CrashWorld, key: string, overMcp: boolean) {
  const ask = { question: `Deploy ${key}?`, requestId: key, timeoutMs: 20_000 }
  const params = { name: 'ask_user', arguments: ask }
  const [path, body] = overMcp
    ? [MCP_PATH, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }]
    : ['/api/v1/questions', ask]
  const headers = {
    ...{ 'content-type': 'application/json', ...agent },
    accept: 'application/json, text/event-stream',
  }
  const ids = new Set<string>()
  for (;;) {
    try {
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(url + path, init)
      const text = await response.text()
      const json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
      const result = (json.result?.structuredContent ?? json) as Result
      if (result.correlationId) ids.add(result.correlationId)
      if (result.status === 'answered') return { ids: [...ids], value: result.value }
      if (!response.ok && response.status !== 503) throw new Error(`${response.status} ${text}`)
    } catch (error) {
      if (error instanceof Error && /^\d{3} /.test(error.message)) throw error
    }
    await Bun.sleep(20)
  }
}

/** Messages of a kind about a question, one for each device. */
function rowsOf(data: string, id: string, kind: string): number {
  using db = new Database(join(data, 'beckon.db'), { readonly: true })
  const rows = db.query('select message from deliveries where subject_id = ?').values(id)
  return rows.filter(([message]) => JSON.parse(String(message)).kind === kind).length
}

// spec: QS-RULE-6
test(`${CALLERS} callers with one key outlive a kill: one question, one row and one answer (TEST_SEED=${SEED})`, async () => {
  await using world = await crashWorld()
  const random = seeded(SEED)
  const open = (data: string, port = 0) => serverProcess(data, port)
  let server: ServerProcess = await open(world.data)
  const { url, port } = server
  const owner = await signIn(url)
  for (let round = 0; round < ROUNDS; round++) {
    const key = `storm-${round}`
    const calls = Array.from({ length: CALLERS }, (_, n) => insist(url, world, key, n % 2 === 0))
    await Bun.sleep(random.between(5, 400))
    await server.end('SIGKILL')
    letClaimsRunOut(world.data)
    server = await open(world.data, port)
    const listAsks = () => readData(world.data).questions.filter((question) => question.key === key)
    await until(() => listAsks().length > 0)
    const [{ id } = { id: '' }] = listAsks()
    const answer = { method: 'POST', headers: { ...owner, 'content-type': 'application/json' } }
    const answering = `${url}/api/v1/questions/${id}/answer`
    expect((await fetch(answering, { ...answer, body: '{"value":"yes"}' })).status).toBe(200)
    for (const result of await Promise.all(calls))
      expect(result).toEqual({ ids: [id], value: 'yes' })
    expect(listAsks()).toHaveLength(1)
    expect(rowsOf(world.data, id, 'question')).toBe(1)
    const pushed = () =>
      world.push.delivered.filter(({ payload }) => payload.notification.data.id === id)
    const questions = () =>
      pushed().filter(({ payload }) => payload.notification.data.kind === 'question')
    await until(() => pushed().length > 0)
    // Only a push that its service took in the moment of the kill may come again, as the same.
    expect(questions().length).toBeLessThanOrEqual(2)
    expect(new Set(pushed().map(({ headers }) => headers.topic)).size).toBe(1)
  }
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 1_200_000)
