import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listTokens } from '../../../src/ask/accounts/model/token-store.ts'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { revokeToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { connect } from '../../support/devices.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { until } from '../../support/until.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

let house: WholeServer
let push: PushServer

beforeAll(async () => {
  push = await pushServer()
  house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { workspaceId } = house
  await connect(house.app.db, { workspaceId, ...push.subscribe('browser') })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
})

const JSON_ONLY = 'application/json'
const EVENTS = 'application/json, text/event-stream'

let count = 0
/** A question that is asked with `token` and waited for, as `how` says. */
async function held(
  token: string,
  how: (question: string) => [path: string, body: object],
  accept: string,
) {
  const question = `Question ${++count}?`
  const [path, body] = how(question)
  const reply = fetch(house.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  }).then(async (response) => ({ response, text: await response.text() }))
  await until(async () => (await open()).includes(question))
  return { question, reply }
}

async function open() {
  const questions = await readInbox({ db: house.app.db, clock }, house.workspaceId)
  return questions.map(({ question }) => question)
}

async function idOf(token: string) {
  const all = await listTokens(house.app.db.read, house.workspaceId)
  const match = all.find(({ tail }) => token.endsWith(tail))
  if (!match) throw new Error('the token is not listed')
  return match.id
}

const overMcp = (question: string): [string, object] => {
  const params = { name: 'ask_user', arguments: { question } }
  return [MCP_PATH, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }]
}
const overRest = (question: string): [string, object] => ['/api/v1/questions', { question }]

const SENTENCE = 'This token was revoked'

test('a revoked token ends what is held with it at once: a stream with a last message', async () => {
  const token = await house.token()
  const { question, reply } = await held(token, overMcp, EVENTS)
  await revokeToken({ db: house.app.db, clock }, { id: await idOf(token) })
  const { response, text } = await reply
  expect(response.status).toBe(200)
  const [message, ...more] = [...text.matchAll(/^data: (.*)$/gm)].map(([, text = '']) => text)
  expect(more).toEqual([])
  expect(JSON.parse(message ?? '')).toMatchObject({
    id: 7,
    error: { code: 401, data: { code: 'unauthenticated' } },
  })
  expect(message).toContain(SENTENCE)
  expect(await open()).toContain(question)
})

test.each([
  ['MCP without a stream', overMcp],
  ['REST', overRest],
])('a revoked token ends what is held with it at once: %s is a 401', async (_, how) => {
  const token = await house.token()
  const { reply } = await held(token, how, JSON_ONLY)
  await revokeToken({ db: house.app.db, clock }, { id: await idOf(token) })
  const { response, text } = await reply
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toContain('Bearer')
  expect(text).toContain(SENTENCE)
})

test.each([
  ['a stream', overMcp, EVENTS],
  ['REST', overRest, JSON_ONLY],
])('a token that another process revokes ends its waits: %s', async (_, how, accept) => {
  const token = await house.token()
  const { reply } = await held(token, how, accept)
  const elsewhere = openDataFolder(house.dataFolder)
  await revokeToken({ db: elsewhere, clock }, { id: await idOf(token) })
  await elsewhere[Symbol.asyncDispose]()
  expect((await reply).text).toContain(SENTENCE)
})

test('waits of other tokens go on when a token is revoked', async () => {
  const [mine, other] = [await house.token(), await house.token()]
  const staying = await held(mine, overRest, JSON_ONLY)
  const leaving = await held(other, overRest, JSON_ONLY)
  await revokeToken({ db: house.app.db, clock }, { id: await idOf(other) })
  expect((await leaving.reply).response.status).toBe(401)
  const [winner] = await Promise.race([
    staying.reply.then(() => ['ended']),
    Bun.sleep(50).then(() => ['waits']),
  ])
  expect(winner).toBe('waits')
  await revokeToken({ db: house.app.db, clock }, { id: await idOf(mine) })
  await staying.reply
})
