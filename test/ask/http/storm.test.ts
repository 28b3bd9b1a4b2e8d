import { expect, setDefaultTimeout, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { pushServer } from '../../support/push-server.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { until } from '../../support/until.ts'
import { wholeServer } from '../../support/whole-server.ts'

// Many requests on a busy machine.
setDefaultTimeout(60_000)

const CALLS = 200
const ASK = { question: 'Deploy the release?' }
const KEY = 'toolu_storm'

// spec: QS-RULE-6
test('200 calls at once with one key are one question, one push and one answer', async () => {
  await using push = await pushServer()
  await using house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { workspaceId, app } = house
  await connect(app.db, { workspaceId, ...push.subscribe('browser') })
  const headers = {
    authorization: `Bearer ${await house.token()}`,
    'content-type': 'application/json',
  }
  const send = async (path: string, body: object, accept = 'application/json') => {
    const request = { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify(body) }
    return await (await fetch(house.url + path, request)).text()
  }
  const overMcp = (params: object, accept?: string) =>
    send(MCP_PATH, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, accept)
  // The same key in each way that a client may say it.
  const ways = [
    () => send('/api/v1/questions', { ...ASK, requestId: KEY }),
    () => overMcp({ name: 'ask_user', arguments: { ...ASK, requestId: KEY } }),
    () =>
      overMcp(
        { name: 'ask_user', arguments: ASK, _meta: { 'claudecode/toolUseId': KEY } },
        'application/json, text/event-stream',
      ),
  ]
  const calls = Array.from({ length: CALLS }, (_, n) => ways[n % ways.length]?.())
  const deps = { db: app.db, clock, baseUrl: house.url }
  await until(
    async () => push.delivered.length > 0 && (await readInbox(deps, workspaceId)).length > 0,
  )
  const [question, ...more] = await readInbox(deps, workspaceId)
  expect(more).toEqual([])
  const questionId = question?.id ?? 'q_none'
  await answerQuestion(
    { db: app.db, clock, onEnded: onEnded(noSender) },
    { workspaceId, questionId, value: 'yes' },
  )
  for (const text of await Promise.all(calls)) {
    expect(text).toContain(questionId)
    expect(text).toContain('"value":"yes"')
  }
  expect((await readActivity(deps, { workspaceId }, {})).items).toHaveLength(1)
  expect(push.delivered).toHaveLength(1)
})
