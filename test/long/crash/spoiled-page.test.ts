import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { SEED } from '../../support/seed.ts'
import { serverProcess } from '../../support/server-process.ts'
import { howOften } from '../../support/share.ts'
import { load } from './load.ts'
import { seeded } from './random.ts'
import { crashWorld, signIn } from './world.ts'

const ROUNDS = howOften(1, 30)
const PAGE = 4_096
const PATHS = ['/', '/activity', '/healthz', '/readyz', '/settings/devices', '/sign-in'].concat(
  ['inbox', 'activity', 'audit', 'callbacks', 'sessions', 'keys', 'subscribers', 'members'].map(
    (name) => `/api/v1/${name}`,
  ),
)

test(`a server with any page of its database overwritten never calls it a bug (TEST_SEED=${SEED})`, async () => {
  await using world = await crashWorld()
  const random = seeded(SEED)
  const file = join(world.data, 'beckon.db')
  const whole = join(world.data, 'whole')
  const { port, owner } = await (async () => {
    await using server = await serverProcess(world.data)
    const owner = await signIn(server.url)
    const callbackUrl = (path: string) => world.receiver.url(path)
    const { url } = server
    let calls = 0
    const on = { url, agent: world.agent, owner, random, name: 'page', callbackUrl }
    await load(on, 6, () => ++calls > 120)
    expect((await server.end('SIGTERM')).code).toBe(0)
    return { port: server.port, owner }
  })()
  copyFileSync(file, whole)
  const agent = { ...world.agent, 'content-type': 'application/json' }
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = readFileSync(whole)
    const page = random.between(1, bytes.length / PAGE - 1)
    writeFileSync(file, bytes.fill(random.between(0, 255), page * PAGE, (page + 1) * PAGE))
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    const started = await serverProcess(world.data, port).catch((error: Error) => error)
    if (started instanceof Error) {
      expect(`page ${page}: ${started.message.trim().split('\n').at(-1)}`).toContain('damaged')
      expect(started.message).not.toContain('This is a bug')
      continue
    }
    await using server = started
    const ask = { question: 'Deploy?', wait: false }
    const params = { name: 'ask_user', arguments: ask }
    const post = (path: string, body: object) =>
      new Request(server.url + path, {
        method: 'POST',
        headers: { ...agent, accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      })
    const requests = [
      ...PATHS.map(
        (path) => new Request(server.url + path, { headers: owner, redirect: 'manual' }),
      ),
      post('/api/v1/questions', ask),
      post('/api/v1/notifications', { title: 'Built', body: 'All green.' }),
      post(MCP_PATH, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ]
    for (const request of requests) {
      const response = await fetch(request)
      const text = await response.text()
      const line = `page ${page} ${request.url} ${response.status}`
      expect([line, response.status === 500 || text.includes('went wrong on the server')]).toEqual([
        line,
        false,
      ])
    }
    expect((await server.end('SIGTERM')).code).toBe(0)
  }
}, 600_000)
