import { expect, test } from 'bun:test'
import { addToken } from '../../../src/ask/accounts/model/token-store.ts'
import { answerInSandbox, answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { readSessions } from '../../../src/ask/presence/read-sessions.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { findHooks } from '../../../src/ask/scopes/model/hook-store.ts'
import { readInForce } from '../../../src/ask/scopes/model/store.ts'
import { terminalActiveAt } from '../../../src/ask/sessions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'

const PLACE = { sessionId: 's', machineId: 'm' }
const PERMISSION = { question: 'Run it?', toolName: 'Bash', toolTarget: 'ls', wait: false }

/** The three ways in which a call is test traffic. */
const WAYS = [
  ['env on the call', { env: 'test' }, {}],
  ['the header of the connection', {}, { testConnection: true }],
  ['a test token', {}, { test: true, tokenId: 'key_tester' }],
] as const

async function home() {
  const world = await flowWorld()
  const { deps, call, clock } = world
  const { workspaceId } = call().caller
  await world.device('laptop')
  const row = { workspaceId, createdAt: clock.now(), tail: 'abcd' }
  await deps.db.write(async (tx) => {
    await addToken(tx, { ...row, id: 'key_test', name: 'own', hash: 'own', test: false })
    await addToken(tx, { ...row, id: 'key_tester', name: 'test', hash: 'test', test: true })
  })
  return world
}

async function session({ deps, call }: FlowWorld) {
  const [seen] = await readSessions(deps, { workspaceId: call().caller.workspaceId })
  return seen && { ...seen.session, status: seen.status }
}

/** Three approvals of the session end unanswered: the next ones are paused. */
async function pause({ deps, call, clock }: FlowWorld) {
  for (let n = 0; n < 3; n++) {
    const { correlationId } = await askUser(deps, { ...PERMISSION, ...PLACE }, call())
    await clock.advance(60_000)
    await cancelQuestion(deps, { correlationId }, call())
  }
}

for (const [how, input, caller] of WAYS) {
  test(`an answer to test traffic by ${how} lifts no pause, and what it leaves open begins none`, async () => {
    await using world = await home()
    const { deps, call, clock } = world
    const tried = async () => {
      const result = await askUser(deps, { ...PERMISSION, ...PLACE, ...input }, call(caller))
      return result.correlationId
    }
    await pause(world)
    const questionId = (await tried()) as QuestionId
    await answerInSandbox(deps, call().caller, { questionId, value: 'yes' })
    const live = await askUser(deps, { ...PERMISSION, ...PLACE }, call())
    expect(live.paused).toBe(true)

    const { workspaceId } = call().caller
    await answerQuestion(deps, {
      workspaceId,
      questionId: live.correlationId as QuestionId,
      value: 'yes',
    })
    for (let n = 0; n < 3; n++) {
      const correlationId = await tried()
      await clock.advance(60_000)
      await cancelQuestion(deps, { correlationId }, call(caller))
    }
    expect((await askUser(deps, { ...PERMISSION, ...PLACE }, call())).paused).toBeUndefined()
  })

  test(`test traffic by ${how} changes nothing of what people see of a session`, async () => {
    await using world = await home()
    const { deps, call, clock } = world
    await askUser(deps, { ...PERMISSION, ...PLACE, agentName: 'Codex - shop' }, call())
    await clock.advance(20 * 60_000)
    const before = await session(world)
    expect(before).toMatchObject({ status: 'offline', agentName: 'Codex - shop' })
    const about = { ...PLACE, agentName: 'Somebody - else' }
    await askUser(deps, { ...PERMISSION, ...about, ...input }, call(caller))
    const context = { type: 'error' } as const
    const note = { title: 'Failed', body: 'All of it.', context, ...about, ...input }
    await sendNotification(deps, note, call(caller))
    expect(await session(world)).toEqual(before)
  })

  test(`a scope that a program agreed to by ${how} holds for no real call`, async () => {
    await using world = await home()
    const { deps, call, clock } = world
    // What proposes a scope has no field of its own for it.
    const as = 'env' in input ? { testConnection: true } : caller
    const scope = { ...PLACE, doneWhen: 'Green.', allowedPaths: ['src'] }
    const real = proposeScope(deps, scope, call())
    await settle()
    const { workspaceId } = call().caller
    await clock.advance(50_000)
    const questionId = (await real).correlationId as QuestionId
    await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
    const held = () => readInForce(deps, { workspaceId, sessionId: 's', test: false })
    const before = await held()
    expect(before?.contract.allowedPaths).toEqual(['src', 'src/**'])

    const wide = await proposeScope(deps, { ...scope, allowedPaths: ['**'] }, call(as))
    await answerInSandbox(deps, call().caller, {
      questionId: wide.correlationId as QuestionId,
      value: 'yes',
    })
    const path = { ...PERMISSION, ...PLACE, scopePath: 'README.md', ...input }
    const result = await askUser(deps, path, call(caller))
    await answerInSandbox(deps, call().caller, {
      questionId: result.correlationId as QuestionId,
      value: 'yes',
    })
    expect(await held()).toEqual(before)
  })
}

for (const [how, , caller] of WAYS.slice(1)) {
  test(`a hook over ${how} proves no presence, and neither ends nor begins a real hook`, async () => {
    await using world = await home()
    const { deps, call, clock } = world
    const { workspaceId } = call().caller
    const report = (event: 'heartbeat' | 'session_end', as: object = {}) =>
      reportHook(deps, { ...PLACE, client: 'claude', event, interactive: true }, call(as))
    const hook = async () => (await findHooks(deps.db.read, workspaceId, 's'))[0]
    const seen = async () => {
      const scope = proposeScope(deps, { ...PLACE, doneWhen: 'Green.' }, call())
      await settle()
      await clock.advance(50_000)
      return (await scope).hookSeen
    }
    await report('heartbeat', caller)
    expect(await terminalActiveAt(deps.db.read, workspaceId, 'm')).toBeUndefined()
    expect(await seen()).toBe(false)
    await report('heartbeat')
    const before = await hook()
    expect(before).toMatchObject({ tokenId: 'key_test' })
    expect(await seen()).toBe(true)
    await report('session_end', caller)
    expect(await hook()).toEqual(before)
  })
}
