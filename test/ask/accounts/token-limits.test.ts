import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  TOKEN_LIMITS,
  type TokenLimits,
  tokenLimits,
} from '../../../src/ask/accounts/model/token-limits.ts'
import { correctUsage, readUsage } from '../../../src/ask/accounts/model/usage-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { listNotifications } from '../../../src/ask/notifications/model/store.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { reportPresence } from '../../../src/ask/presence/read-sessions.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { makeRoom } from '../../../src/ask/retention/make-room.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { recountTokens } from '../../../src/ask/retention/recount-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { howOften } from '../../support/share.ts'

const DAY = 24 * 60 * 60_000
const ASK = { question: 'Deploy?', wait: false }
const NOTE = { title: 'Built', body: 'All green.' }

function limited(world: FlowWorld, limits: Partial<TokenLimits>) {
  const deps = { ...world.deps, limited: { limits: { ...TOKEN_LIMITS, ...limits }, makeRoom } }
  const ask = (more: object = {}, as: Parameters<FlowWorld['call']>[0] = {}) =>
    askUser(deps, { ...ASK, question: `Go ${asks++}?`, ...more }, world.call(as))
  const tell = (more: object = {}, as: Parameters<FlowWorld['call']>[0] = {}) =>
    sendNotification(deps, { ...NOTE, ...more }, world.call(as))
  const usage = async () => (await readUsage(world.db.read, ['key_test'])).get('key_test')
  return { deps, ask, tell, usage }
}

// An identical question would join the one that is open.
let asks = 0

const idOf = ({ correlationId }: { correlationId: string }) => correlationId as QuestionId
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error.code,
  )

test('the limits are those that are written down, and one number multiplies them all', () => {
  expect(TOKEN_LIMITS).toEqual({
    openQuestions: 1_000,
    bytesAnHour: 20_000_000,
    keptBytes: 200_000_000,
    pushesAMinute: 60,
  })
  expect(tokenLimits(3)).toEqual({
    openQuestions: 3_000,
    bytesAnHour: 60_000_000,
    keptBytes: 600_000_000,
    pushesAMinute: 180,
  })
})

test('a token has so many open questions; a retry joins, another token asks, one that ended makes room', async () => {
  await using world = await flowWorld()
  const { deps, ask, usage } = limited(world, { openQuestions: 3 })
  const results = [await ask({ requestId: 'a' }), await ask(), await ask()]
  await expect(ask()).rejects.toMatchObject({ code: 'limit_reached', status: 429 })
  await expect(ask()).rejects.toThrow(/3 open questions.*cancel_question/)
  expect((await usage())?.openQuestions).toBe(3)
  expect((await ask({ requestId: 'a' })).correlationId).toBe(results[0]?.correlationId as string)
  await ask({}, { tokenId: 'key_other' })

  const [first, second, third] = results.map(idOf) as [QuestionId, QuestionId, QuestionId]
  await cancelQuestion(deps, { correlationId: first }, world.call())
  await cancelQuestion(deps, { correlationId: first }, world.call())
  expect((await usage())?.openQuestions).toBe(2)
  const { workspaceId } = world.call().caller
  await answerQuestion(deps, { workspaceId, questionId: second, value: 'yes' })
  await answerQuestion(deps, { workspaceId, questionId: third, value: 'yes' })
  // Of two at once at the limit one is asked.
  await ask()
  await ask()
  expect((await Promise.all([codeOf(ask()), codeOf(ask())])).sort()).toEqual([
    'limit_reached',
    undefined,
  ])
  await world.clock.advance(3 * DAY)
  await expireQuestions(deps)
  expect((await usage())?.openQuestions).toBe(0)
  await ask()
})

test('a token writes so much an hour; what is refused leaves nothing, and says when to come back', async () => {
  await using world = await flowWorld()
  const { tell, ask, usage } = limited(world, { bytesAnHour: 10_000 })
  for (let i = 0; i < 3; i++) await tell({ context: { summary: 'x'.repeat(2_500) } })
  const before = await usage()
  const refused = tell({ context: { summary: 'x'.repeat(5_000) } })
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
  const { retryAfter } = (await refused.catch((error) => error)) as { retryAfter: number }
  expect(await usage()).toEqual(before as NonNullable<typeof before>)
  const { workspaceId } = world.call().caller
  const page = { before: undefined, limit: 9 }
  expect(await listNotifications(world.db.read, { workspaceId }, page)).toHaveLength(3)
  await ask({}, { tokenId: 'key_other' })
  await world.clock.advance((retryAfter - 5) * 1_000)
  expect(await codeOf(tell({ context: { summary: 'x'.repeat(5_000) } }))).toBe('rate_limited')
  await world.clock.advance(6_000)
  expect(await codeOf(tell({ context: { summary: 'x'.repeat(5_000) } }))).toBeUndefined()
})

test('at the limit of what is kept the oldest notifications that are done go, and questions stay', async () => {
  await using world = await flowWorld()
  const { ask, tell, usage } = limited(world, { keptBytes: 20_000 })
  const result = await ask({ actionBody: 'q'.repeat(2_000) })
  const warnings: boolean[] = []
  for (let i = 0; i < 30; i++) {
    const { hint } = await tell({ title: `Built ${i}`, body: 'x'.repeat(500) })
    warnings.push(hint?.includes('oldest notification') ?? false)
    await world.clock.advance(1_000)
  }
  expect(warnings.indexOf(true)).toBeGreaterThan(20)
  const { workspaceId } = world.call().caller
  const left = await listNotifications(
    world.db.read,
    { workspaceId },
    { before: undefined, limit: 99 },
  )
  const titles = left.map(({ title }) => title)
  expect(titles).toEqual([...titles.keys()].map((i) => `Built ${29 - i}`))
  expect((await usage())?.keptBytes).toBeLessThanOrEqual(20_000)
  // Only what is asked is left: there is nothing that could go.
  for (let i = 0; i < 12; i++) await codeOf(ask({ actionBody: 'q'.repeat(2_000) }))
  await expect(ask({ actionBody: 'q'.repeat(2_000) })).rejects.toMatchObject({
    code: 'limit_reached',
    message: expect.stringContaining('Settings, Agent tokens'),
  })
  expect(await codeOf(ask({ requestId: 'none' }, { tokenId: 'key_other' }))).toBeUndefined()
  expect(result.status).toBe('pending')
  expect(await recountTokens(world.db)).toBe(0)
})

test('whatever happens, what is counted is what there is', async () => {
  const step = fc.record({
    what: fc.constantFrom('ask', 'tell', 'embed', 'again', 'answer', 'cancel', 'expire', 'purge'),
    token: fc.constantFrom('key_test' as const, 'key_other' as const),
    size: fc.nat(4_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using world = await flowWorld()
      await world.device('phone', { kind: 'phone', personId: 'ann' })
      const { deps, ask, tell } = limited(world, {
        openQuestions: 4,
        keptBytes: 12_000,
        pushesAMinute: 3,
      })
      const { workspaceId } = world.call().caller
      const ids: QuestionId[] = []
      for (const [n, { what, token: tokenId, size }] of steps.entries()) {
        const as = { tokenId }
        const some = ids[size % Math.max(1, ids.length)]
        const text = 'é'.repeat(size % 500)
        if (what === 'ask')
          await ask({ requestId: `${n}`, context: text }, as).then(
            (it) => ids.push(idOf(it)),
            String,
          )
        if (what === 'again') await ask({ requestId: `${size % (n + 1)}` }, as).catch(String)
        if (what === 'tell')
          await tell({ context: { details: ['x'.repeat(size)] } }, as).catch(String)
        if (what === 'embed')
          await tell({ context: { askQuestion: { question: 'Go?' } } }, as).catch(String)
        if (what === 'answer' && some)
          await answerQuestion(deps, { workspaceId, questionId: some, value: 'yes' }).catch(String)
        if (what === 'cancel' && some)
          await cancelQuestion(deps, { correlationId: some }, world.call(as))
        if (what === 'expire') {
          await world.clock.advance(size * 60_000)
          await expireQuestions(deps)
        }
        if (what === 'purge') {
          await world.clock.advance(size % 2 ? DAY : 1_000)
          await purgeOld({
            db: world.db,
            clock: world.clock,
            holder: 'p',
            retentionDays: 1,
            batch: 3,
          })
        }
        await world.clock.advance(size % 7 ? 0 : 30_000)
        const [usage] = [await readUsage(world.db.read, ['key_test', 'key_other'])]
        for (const { openQuestions, keptBytes } of usage.values()) {
          expect(openQuestions).toBeLessThanOrEqual(4)
          expect(keptBytes).toBeLessThanOrEqual(12_000)
        }
      }
      expect(await recountTokens(world.db)).toBe(0)
    }),
    { numRuns: howOften(3, 8) },
  )
}, 60_000)

test('a count that is wrong is put right by the hourly purge', async () => {
  await using world = await flowWorld()
  const { ask, tell, usage } = limited(world, {})
  await ask()
  await tell()
  const right = await usage()
  const wrong = { openQuestions: 77, keptBytes: 1 }
  if (!right) throw new Error('nothing was counted')
  await world.db.write((tx) => correctUsage(tx, right, wrong))
  expect((await usage())?.openQuestions).toBe(77)
  await purgeOld({ db: world.db, clock: world.clock, holder: 'p', retentionDays: 90 })
  expect(await usage()).toEqual(right)
})

test('sessions and machines that nobody heard of count for the hour, those that are known do not', async () => {
  await using world = await flowWorld()
  const { deps } = limited(world, { bytesAnHour: 20_000 })
  const { workspaceId } = world.call().caller
  const report = (sessionId: string) =>
    reportHook(
      deps,
      { client: 'codex', event: 'heartbeat', sessionId, machineId: 'm1' },
      world.call(),
    )
  const prove = (machineId: string) =>
    reportPresence(deps, workspaceId, { machineId, tokenId: 'key_test' })
  for (let i = 0; i < 100; i++) {
    await report('s1')
    await prove('m2')
  }
  for (let i = 0; i < 4; i++) {
    await report(`new ${i}`)
    await prove(`new ${i}`)
  }
  await expect(report('one more')).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(prove('one more')).rejects.toMatchObject({ code: 'rate_limited' })
  await report('s1')
  await prove('m2')
})
