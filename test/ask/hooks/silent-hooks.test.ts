import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { keepNoticingHooks, noticeSilentHooks } from '../../../src/ask/hooks/silent-hooks.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { readSessions } from '../../../src/ask/presence/read-sessions.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { readScopeHistory } from '../../../src/ask/proposals/scope-history.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const SESSION = 's1'
const MINUTE = 60_000

/** A session whose hook has reported, and that has a scope. */
async function scoped({ hook = true }: { hook?: boolean } = {}) {
  const world = await flowWorld()
  const { deps, clock, call } = world
  const { workspaceId } = call().caller
  await world.device('phone')
  const since = clock.now()
  await clock.advance(5 * MINUTE)
  const report = (more: Partial<HookReport> = {}) =>
    reportHook(
      deps,
      { sessionId: SESSION, machineId: 'm1', client: 'claude', event: 'heartbeat', ...more },
      call(),
    )
  if (hook) await report({ event: 'session_start' })
  const scope = { doneWhen: 'done', sessionId: SESSION, allowedPaths: ['src'] }
  const proposing = proposeScope(deps, scope, call())
  await settle()
  const [open] = await readInbox(deps, workspaceId)
  const questionId = open?.id as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  await proposing
  if (hook) await report()
  await settle()
  world.deliveries.length = 0
  return {
    world,
    report,
    questionId,
    look: () => noticeSilentHooks(deps, since),
    speak: () =>
      sendNotification(deps, { title: 'Still at it', body: 'x', sessionId: SESSION }, call()),
    notices: async () => {
      const { items } = await readActivity({ db: deps.db }, { workspaceId }, {})
      return items.flatMap((item) =>
        item.kind === 'notification' && item.notification.context?.type === 'error'
          ? item.notification.title
          : [],
      )
    },
    session: async () => (await readSessions(deps, { workspaceId })).find((one) => one.silentSince),
    result: () => waitForAnswer(deps, { correlationId: questionId }, call()),
    history: () => readScopeHistory(deps, { workspaceId }, SESSION),
  }
}

test('a session that goes on without its hook is told once, and everything says so', async () => {
  const { world, report, look, speak, notices, session, result, history, questionId } =
    await scoped()
  await using _ = world
  const { clock } = world
  const heard = clock.now()
  await clock.advance(2 * MINUTE)
  await speak()
  expect(await look()).toBe(0)
  await clock.advance(MINUTE)
  expect(await Promise.all([look(), look()])).toContain(1)
  expect(await look()).toBe(0)
  await clock.advance(MINUTE)
  await speak()
  await clock.advance(MINUTE)
  expect(await look()).toBe(0)
  expect(await notices()).toEqual(['The hook of this session stopped reporting'])
  expect(await session()).toMatchObject({ silentSince: heard })
  expect((await history()).silent).toMatchObject({ lastSeenAt: heard })
  expect(await result()).toMatchObject({
    enforces: [],
    enforcementNote: expect.stringContaining('stopped reporting'),
  })

  // It is back, and falls silent once more.
  await report()
  expect(await session()).toBeUndefined()
  expect(await result()).toMatchObject({ enforces: [] })
  await report({ contractEtag: `${questionId}.0` })
  expect(await result()).toMatchObject({ enforces: ['allowedPaths'] })
  await clock.advance(2 * MINUTE)
  await speak()
  await clock.advance(MINUTE)
  expect(await look()).toBe(1)
  expect(await notices()).toHaveLength(2)
})

test('an idle session is not silent, nor is one that ended, or that a hook never reported', async () => {
  const idle = await scoped()
  await using _ = idle.world
  await idle.world.clock.advance(60 * MINUTE)
  expect(await idle.look()).toBe(0)

  const over = await scoped()
  await using __ = over.world
  expect((await over.history()).ended).toBeUndefined()
  const end = over.world.clock.now()
  await over.report({ event: 'session_end' })
  // Its page does not say that no hook reports.
  expect(await over.history()).toMatchObject({ hooks: [], ended: { endedAt: end } })
  await over.world.clock.advance(5 * MINUTE)
  await over.speak()
  await over.world.clock.advance(MINUTE)
  expect(await over.look()).toBe(0)

  const never = await scoped({ hook: false })
  await using ___ = never.world
  await never.world.clock.advance(5 * MINUTE)
  await never.speak()
  await never.world.clock.advance(MINUTE)
  expect(await never.look()).toBe(0)
})

test('a report that comes a little later than the call is none too late', async () => {
  const { world, report, look, speak, notices } = await scoped()
  await using _ = world
  for (let at = 0; at < 3; at++) {
    await world.clock.advance(10 * MINUTE)
    await speak()
    await world.clock.advance(15_000)
    expect(await look()).toBe(0)
    await report()
    await world.clock.advance(10 * MINUTE)
    expect(await look()).toBe(0)
  }
  expect(await notices()).toEqual([])
})

test('test traffic, a scope that is over and a server that just began say nothing of it', async () => {
  const { world, speak, look, notices } = await scoped()
  await using _ = world
  const { deps, clock, call } = world
  await clock.advance(2 * MINUTE)
  await askUser(deps, { question: 'Go on?', sessionId: SESSION, env: 'test', wait: false }, call())
  await clock.advance(MINUTE)
  expect(await look()).toBe(0)
  await speak()
  await clock.advance(MINUTE)
  expect(await noticeSilentHooks(deps, clock.now() - MINUTE)).toBe(0)
  await clock.advance(13 * 60 * MINUTE)
  await speak()
  await clock.advance(MINUTE)
  expect(await look()).toBe(0)
  expect(await notices()).toEqual([])
})

test('the server looks by itself', async () => {
  const { world, speak, notices } = await scoped()
  await using _ = world
  const errors: unknown[] = []
  const looking = keepNoticingHooks(world.deps, (error) => errors.push(error))
  await world.clock.advance(2 * MINUTE)
  await speak()
  await settle()
  for (let at = 0; at < 4; at++) {
    await world.clock.advance(15_000)
    await settle()
  }
  await looking[Symbol.asyncDispose]()
  expect(errors).toEqual([])
  expect(await notices()).toEqual(['The hook of this session stopped reporting'])
})

test('a hook whose files are gone says so by what it does not hold any more: told once', async () => {
  const { world, report, questionId, notices } = await scoped()
  await using _ = world
  await report({ contractEtag: `${questionId}.0` })
  const replies = await Promise.all([report(), report()])
  expect(replies[0]?.contract).toMatchObject({ correlationId: questionId })
  expect(await notices()).toEqual(['The files of a hook were removed'])
  await report({ contractEtag: `${questionId}.0` })
  await report({ contractEtag: `${questionId}.0` })
  expect(await notices()).toHaveLength(1)
  // A session that begins anew holds nothing yet, and one that ended held it to its end.
  await report({ event: 'session_start' })
  await report({ contractEtag: `${questionId}.0` })
  await report({ event: 'session_end' })
  await report()
  expect(await notices()).toHaveLength(1)
})
