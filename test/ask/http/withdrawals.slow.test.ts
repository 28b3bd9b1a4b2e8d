import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { insertPerson, putRole } from '../../../src/ask/accounts/model/person-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { askOverRest, callOverMcp, type Json } from '../../support/agent-faces.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

let house: WholeServer
beforeAll(async () => {
  house = await wholeServer()
  const { app, workspaceId } = house
  const member = { id: 'mia', name: 'Mia', email: 'mia@example.com', role: 'member' } as const
  await app.db.write((tx) => insertPerson(tx, { ...member, workspaceId }, clock.now()))
})
afterAll(() => house[Symbol.asyncDispose]())

const tokenOf = async (by?: string, test = false) => {
  const { app, workspaceId } = house
  const more = { name: 't', test, ...(by === undefined ? {} : { by }) }
  return (await createToken({ db: app.db, clock }, { workspaceId, ...more })).token
}

type Withdraw = (token: string, correlationId: unknown, headers?: Json) => Promise<Json>

const overRest: Withdraw = async (token, id, headers = {}) => {
  const response = await fetch(`${house.url}/api/v1/questions/${id}/cancel`, {
    method: 'POST',
    headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as Json
  return response.ok ? body : { refused: body.detail, code: body.code, status: response.status }
}

const overMcp =
  (version: '2025-11-25' | '2026-07-28'): Withdraw =>
  async (token, correlationId) => {
    const args = { correlationId }
    const result = await callOverMcp(version, house.url, token, args, undefined, 'cancel_question')
    if (!result.isError) return result
    const [{ text }] = result.content as [{ text: string }]
    return { refused: text, code: 'forbidden', status: 403 }
  }

const FACES: [string, Withdraw][] = [
  ['REST', overRest],
  ['MCP of 2025', overMcp('2025-11-25')],
  ['MCP of 2026', overMcp('2026-07-28')],
]

const ask = async (token: string, more: Json = {}) =>
  (await askOverRest(house.url, token, { question: 'Go?', wait: false, ...more })).correlationId
const statusOf = async (token: string, id: unknown) => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${house.url}/api/v1/questions/${id}?timeoutMs=1000`, { headers })
  return ((await response.json()) as Json).status
}

describe.each(FACES)('withdrawing over %s', (_, withdraw) => {
  test('a withdrawal is for the token that asked, and for those that an owner made', async () => {
    const asker = await tokenOf()
    for (const [by, may] of [
      [undefined, false],
      ['mia', false],
      ['owner', true],
    ] as const) {
      const id = await ask(asker)
      const result = await withdraw(await tokenOf(by), id)
      if (may) expect(result).toMatchObject({ correlationId: id, cancelled: true })
      else {
        expect(result).toMatchObject({ status: 403, code: 'forbidden' })
        expect(result.refused).toContain('Another token asked this question, and it stays open.')
      }
      expect([by, await statusOf(asker, id)]).toEqual([by, may ? 'cancelled' : 'pending'])
      expect(await withdraw(asker, id)).toMatchObject({ cancelled: !may, status: 'cancelled' })
    }
  })

  test('what has ended is told to every token of the workspace, as waiting is', async () => {
    const [asker, other] = [await tokenOf(), await tokenOf()]
    const id = await ask(asker)
    const { workspaceId, app } = house
    const answer = { workspaceId, questionId: id as QuestionId, value: 'yes' }
    await answerQuestion({ db: app.db, clock, onEnded: onEnded(noSender) }, answer)
    const outcome = { cancelled: false, status: 'answered', value: 'yes' }
    expect(await withdraw(other, id)).toMatchObject(outcome)
    expect(await withdraw(other, 'q_unknown')).toMatchObject({ status: 'missing' })
  })
})

test('a role counts as it is now', async () => {
  const asker = await tokenOf()
  const token = await tokenOf('mia')
  const role = (is: 'owner' | 'member') =>
    house.app.db.write((tx) =>
      putRole(tx, { workspaceId: house.workspaceId, personId: 'mia', role: is }),
    )
  await role('owner')
  expect(await overRest(token, await ask(asker))).toMatchObject({ cancelled: true })
  await role('member')
  expect(await overRest(token, await ask(asker))).toMatchObject({ code: 'forbidden' })
})

test('a connection for tests withdraws nothing of a person', async () => {
  const token = await tokenOf('owner')
  const header = { 'x-service-env': 'test' }
  const id = await ask(token)
  expect(await overRest(token, id, header)).toMatchObject({ code: 'forbidden' })
  const rpc = await house.rpc(
    'tools/call',
    { name: 'cancel_question', arguments: { correlationId: id } },
    { authorization: `Bearer ${token}`, ...header },
  )
  expect(JSON.stringify(rpc.json)).toContain('can only withdraw test questions')
  expect(await statusOf(token, id)).toBe('pending')
  const tried = await ask(token, { env: 'test' })
  expect(await overRest(token, tried, header)).toMatchObject({ cancelled: true })
})
