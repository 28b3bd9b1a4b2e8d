import { expect, test } from 'bun:test'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { reportPresence } from '../../../src/ask/presence/read-sessions.ts'
import { endQuestion, expireQuestions } from '../../../src/ask/questions/end-question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { workspaceId } from '../../support/devices.ts'
import {
  arrived,
  callAt,
  flowsOf,
  LATER,
  SESSION,
  sentTo,
  tell,
} from '../../support/office-flows.ts'
import { connectEach, type PostOffice, postOffice } from '../../support/post-office.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'

const ENDINGS = {
  answered: 'answer',
  cancelled: 'cancel',
  stopped: 'stop',
} as const

const ASKS = {
  'a question': async (office: PostOffice) => {
    const ask = { ...SESSION, question: 'May I?', wait: false }
    const { correlationId } = await askUser(flowsOf(office), ask, callAt(office))
    return correlationId
  },
  'a notification with a question': async (office: PostOffice) => {
    const context = { type: 'error', askQuestion: { question: 'Try again?' } } as const
    return (await tell(office, { context })).linkedCorrelationId
  },
}

for (const [what, ask] of Object.entries(ASKS)) {
  for (const [how, move] of Object.entries(ENDINGS)) {
    test(`${what} that was ${how} is not sent again, nor by the next process`, async () => {
      await using office = await postOffice()
      await connectEach(office, { phone: [LATER, { status: 201 }] })
      const id = (await ask(office)) as QuestionId
      await arrived(office, 1)
      const ending = move === 'answer' ? { ending: { value: 'yes' } } : {}
      const ended = await endQuestion(flowsOf(office), move, { workspaceId, id, ...ending })
      expect(ended).toBeDefined()
      await office.clock.advance(60_000)
      await using next = office.openSender('the next process')
      expect(await retryDeliveries(flowsOf(office))).toBe(0)
      expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
      expect(office.push.delivered).toHaveLength(1)
    })
  }

  test(`${what} that expired is not sent again, swept or not`, async () => {
    await using office = await postOffice()
    const wait = { status: 503, headers: { 'retry-after': '599' } }
    await connectEach(office, { phone: [wait, { status: 201 }] })
    await ask(office)
    await arrived(office, 1)
    await office.clock.advance(10 * 60_000 + 1)
    await using next = office.openSender('the next process')
    expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
    await expireQuestions(flowsOf(office))
    expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
    expect(office.push.delivered).toHaveLength(1)
  })

  test(`${what} is not kept by a push service for longer than it can be answered`, async () => {
    await using office = await postOffice()
    await connectEach(office, { phone: [] })
    await ask(office)
    await arrived(office, 1)
    expect(Number(office.push.delivered[0]?.headers.ttl)).toBeLessThanOrEqual(600)
  })
}

const GRACE_MS = 20_000

async function askWithGrace(office: PostOffice) {
  await connectEach(office, { browser: [], phone: [] })
  const flows = flowsOf(office)
  await setPolicy(flows, workspaceId, { graceMs: GRACE_MS })
  const ask = { ...SESSION, question: 'May I?', wait: false }
  const { correlationId } = await askUser(flows, ask, callAt(office))
  await arrived(office, 1)
  expect(office.push.delivered.map(({ name }) => name)).toEqual(['browser'])
  return correlationId as QuestionId
}

test('after the grace the phone rings once, also when another process takes over', async () => {
  await using office = await postOffice()
  await askWithGrace(office)
  await using next = office.openSender('the next process')
  await office.clock.advance(GRACE_MS - 1)
  expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
  await office.clock.advance(1)
  const both = [retryDeliveries(flowsOf(office, next)), retryDeliveries(flowsOf(office))]
  expect((await Promise.all(both)).sort()).toEqual([0, 1])
  await arrived(office, 2)
  for (let i = 0; i < 3; i++) {
    await office.clock.advance(60_000)
    expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
  }
  expect(sentTo(office, 'phone')).toHaveLength(1)
})

for (const [how, move] of Object.entries(ENDINGS)) {
  test(`a question that was ${how} within the grace never rings on the phone`, async () => {
    await using office = await postOffice()
    const id = await askWithGrace(office)
    const ending = move === 'answer' ? { ending: { value: 'yes' } } : {}
    await endQuestion(flowsOf(office), move, { workspaceId, id, ...ending })
    await using next = office.openSender('the next process')
    await office.clock.advance(GRACE_MS)
    expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
    await arrived(office, 2)
    expect(sentTo(office, 'phone')).toEqual([])
    expect(sentTo(office, 'browser')[1]?.payload.notification.data.kind).toBe('outcome')
  })
}

test('what the server holds back never leaves it: no push carries a request to stay unseen', async () => {
  await using office = await postOffice()
  await connectEach(office, { browser: [], phone: [] })
  const flows = flowsOf(office)
  const ask = { ...SESSION, question: 'May I?', toolName: 'Bash', wait: false }
  await reportPresence(flows, workspaceId, { machineId: SESSION.machineId })
  const suppressed = await askUser(flows, ask, callAt(office))
  expect(suppressed).toMatchObject({ suppressed: true })
  await arrived(office, 1)
  expect(sentTo(office, 'phone')).toEqual([])
  await endQuestion(flows, 'cancel', { workspaceId, id: suppressed.correlationId as QuestionId })
  await arrived(office, 2)

  const at = new Date(office.clock.now()).toISOString().slice(11, 16)
  const hour = (by: number) => {
    const minutes = Number(at.slice(0, 2)) * 60 + Number(at.slice(3)) + by + 1_440
    const two = (n: number) => String(n).padStart(2, '0')
    return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
  }
  await setPolicy(flows, workspaceId, {
    quietHours: { from: hour(-60), to: hour(60), zone: 'UTC' },
  })
  const quiet = await tell(office)
  expect(quiet.delivery.mobile.status).toContain('Quiet hours')
  const approval = { ...ask, question: 'And this?', permissionMode: 'default' }
  expect(await askUser(flowsOf(office), approval, callAt(office))).toMatchObject({
    status: 'terminal',
  })
  await office.clock.advance(60_000)
  expect(await retryDeliveries(flows)).toBe(0)
  expect(sentTo(office, 'phone')).toEqual([])
  expect(office.push.delivered).toHaveLength(2)
})
