import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { LARGE_AT_ONCE } from '../../../src/platform/http/request.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type StartedApp, startedApp } from '../../support/started-app.ts'

setDefaultTimeout(60_000)

let house: StartedApp
let token: string
beforeAll(async () => {
  house = await startedApp()
  const { db } = house.app
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  token = (await createToken({ db, clock }, { workspaceId, name: 'a' })).token
})
afterAll(() => house[Symbol.asyncDispose]())

/** Says that a large body comes, sends some of it, and stays; resolves to the first line of the reply. */
async function sendSlowly(path: string, headers: Record<string, string>) {
  const { promise: status, resolve } = Promise.withResolvers<string>()
  const lines = { host: 'localhost', 'content-length': '200000', ...headers }
  const headerLines = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  const head = [`POST ${path} HTTP/1.1`, ...headerLines, '', '"xxxx'].join('\r\n')
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(house.app.url).port),
    socket: {
      open: (open) => void open.write(head),
      data: (_, bytes) => resolve(bytes.toString('latin1').split('\r\n')[0] ?? ''),
      close: () => resolve('closed'),
    },
  })
  return { status, leave: () => socket.terminate() }
}

const JSON_BODY = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test.each([
  ['/api/mcp/mcp', JSON_BODY, 401],
  ['/api/mcp/mcp', { ...JSON_BODY, authorization: 'Bearer bk_wrong' }, 401],
  ['/api/mcp/catalog', JSON_BODY, 413],
  ['/api/v1/questions', JSON_BODY, 401],
  ['/slack/interactions', FORM, 413],
  ['/sign-in', { ...FORM, 'sec-fetch-site': 'same-origin' }, 413],
])(
  'whoever is not known is refused before a large body is read: %s %j',
  async (path, more, status) => {
    const one = await sendSlowly(path, more)
    expect(await one.status).toContain(` ${status} `)
    one.leave()
  },
)

test('nobody unknown keeps the places of large bodies from an agent', async () => {
  const slow = await Promise.all(
    Array.from({ length: LARGE_AT_ONCE + 1 }, () => sendSlowly('/api/mcp/mcp', JSON_BODY)),
  )
  const method = 'tools/call'
  const params = { name: 'ask_user', arguments: { question: 'x'.repeat(100_000), wait: false } }
  const response = await fetch(`${house.app.url}/api/mcp/mcp`, {
    method: 'POST',
    headers: {
      ...JSON_BODY,
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('correlationId')
  for (const one of slow) one.leave()
})

async function anotherToken(): Promise<string> {
  const { db } = house.app
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  return (await createToken({ db, clock }, { workspaceId, name: 'b' })).token
}

const LARGE = JSON.stringify({ question: 'x'.repeat(900_000) })
const SMALL = JSON.stringify({ question: 'Deploy?', wait: false })

test.each([
  ['/api/v1/questions', 'whole'],
  ['/api/v1/questions', 'in pieces'],
  ['/api/mcp/mcp', 'whole'],
  ['/api/mcp/mcp', 'in pieces'],
])('large bodies count by their bytes, for their own token alone: %s, %s', async (path, how) => {
  const [greedy, other] = [await anotherToken(), await anotherToken()]
  const ask = (bearer: string, text: string, to = path) =>
    fetch(house.app.url + to, {
      method: 'POST',
      headers: {
        ...JSON_BODY,
        authorization: `Bearer ${bearer}`,
        accept: 'application/json, text/event-stream',
      },
      body: how === 'whole' ? text : new Blob([text]).stream(),
    })
  const refused: Response[] = []
  // A thousand small calls pass at once.
  for (let n = 0; n < 100 && refused.length === 0; n++) {
    const response = await ask(greedy, LARGE)
    if (response.status === 429) refused.push(response)
  }
  expect(refused.map(({ headers }) => Number(headers.get('retry-after')) > 0)).toEqual([true])
  expect((await ask(other, SMALL, '/api/v1/questions')).status).toBeLessThan(300)
})
