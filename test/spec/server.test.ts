import { afterAll, beforeAll, expect, test } from 'bun:test'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { noSender } from '../support/no-sender.ts'
import { onEnded } from '../support/on-ended.ts'
import { type WholeServer, wholeServer } from '../support/whole-server.ts'

let server: WholeServer
beforeAll(async () => {
  server = await wholeServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

test('[QS-WHAT-1, QS-WHAT-2, QS-AUTH-1, QS-VER-1] initialize needs no token and says 2025-11-25', async () => {
  const { status, json } = await server.rpc('initialize', HELLO)
  expect(status).toBe(200)
  expect(json.result).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } })
})

test('[QS-WHAT-3, QS-WHAT-8] the list has the five tools, each with its schemas and annotations', async () => {
  const { status, json } = await server.rpc('tools/list')
  expect(status).toBe(200)
  const { tools } = json.result as { tools: Array<Record<string, unknown>> }
  expect(tools.map((tool) => tool.name).sort()).toEqual([
    'ask_user',
    'cancel_question',
    'propose_scope',
    'send_notification',
    'wait_for_answer',
  ])
  for (const tool of tools) {
    expect(tool).toMatchObject({
      title: expect.any(String),
      description: expect.any(String),
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      annotations: {
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
        readOnlyHint: false,
      },
    })
  }
})

test('[QS-AUTH-2, QS-ERR-6] a call without a good token is 401, whatever it asks', async () => {
  const params = { name: 'ask_user', arguments: { question: 'Deploy?' } }
  for (const headers of [
    {},
    { authorization: 'Bearer bk_wrong' },
    { authorization: 'Basic eA==' },
  ]) {
    expect((await server.rpc('tools/call', params, headers)).status).toBe(401)
  }
})

test('[QS-AUTH-2] a token ties a call to its workspace: another one finds nothing', async () => {
  const question = await server.call(await server.token(), 'ask_user', {
    question: 'Deploy?',
    wait: false,
  })
  const { correlationId } = question
  const stranger = await server.token({ workspaceId: 'ws_elsewhere' })
  const result = await server.call(stranger, 'wait_for_answer', { correlationId, timeoutMs: 1000 })
  expect(result).toMatchObject({ correlationId, status: 'missing', answered: false })
})

test('[QS-ERR-6] wrong arguments are a result that names each field and what it must be', async () => {
  const args = { question: '', timeoutMs: 10, options: ['a'], type: 'select', surprise: 1 }
  const result = await server.call(await server.token(), 'ask_user', args)
  expect(result.isError).toBe(true)
  const text = JSON.stringify(result.content)
  for (const field of ['question', 'timeoutMs', 'options', 'surprise']) {
    expect(text).toContain(field)
  }
})

test('[QS-WHAT-7, QS-RULE-5] a test call, connection or token records and delivers nothing', async () => {
  const usual = await server.token()
  const ask = { question: 'Deploy?', timeoutMs: 1000 }
  const held = { status: 'pending', held: 'test_traffic', env: 'test' }
  const header = { 'x-service-env': 'test' }
  expect(await server.call(usual, 'ask_user', { ...ask, env: 'test' })).toMatchObject(held)
  expect(await server.call(usual, 'ask_user', ask, header)).toMatchObject(held)
  expect(await server.call(await server.token({ test: true }), 'ask_user', ask)).toMatchObject(held)
  const notification = { title: 'Done', body: 'All green.', env: 'test' }
  const result = await server.call(usual, 'send_notification', notification)
  expect(result).toMatchObject({ sent: 0, env: 'test' })
})

test('[QS-RULE-4, QS-VER-3] with no device: what to do next, for older callers and newer ones', async () => {
  const result = await server.call(await server.token(), 'ask_user', { question: 'Deploy?' })
  expect(result).toMatchObject({
    noDevices: true,
    nextAction: 'ask_in_current_client',
    handoffAction: 'cancel_then_ask_in_current_client',
  })
  expect(result.warning).toBeString()
})

test('[QS-STATE-open, QS-STATE-answer] an answer is collected by its correlationId', async () => {
  const token = await server.token()
  const { correlationId } = await server.call(token, 'ask_user', {
    question: 'Which?',
    type: 'select',
    options: ['red', 'blue'],
    wait: false,
  })
  const { db } = server.app
  const outcome = await answerQuestion(
    { db, clock: systemClock, onEnded: onEnded(noSender) },
    {
      workspaceId: server.workspaceId,
      questionId: correlationId as QuestionId,
      value: 'blue',
      note: 'like the sky',
    },
  )
  expect(outcome.won).toBe(true)
  const collected = await server.call(token, 'wait_for_answer', { correlationId })
  expect(collected).toMatchObject({ answered: true, value: 'blue', note: 'like the sky' })
})
