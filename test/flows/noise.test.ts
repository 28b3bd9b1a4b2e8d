import { expect, test } from 'bun:test'
import type { Caller } from '../../src/accounts/agent.ts'
import { askUser } from '../../src/flows/ask-user.ts'
import { setPolicy } from '../../src/flows/change-policy.ts'
import { endQuestion } from '../../src/flows/end-question.ts'
import { expireQuestions } from '../../src/flows/expire-questions.ts'
import { retryDeliveries } from '../../src/flows/retry-deliveries.ts'
import { sendNotification } from '../../src/flows/send-notification.ts'
import { reportPresence } from '../../src/flows/sessions.ts'
import { createGuardedFetch } from '../../src/kernel/guarded-fetch.ts'
import type { QuestionId } from '../../src/kernel/ids.ts'
import type { SendNotificationInput } from '../../src/notifications/notification.ts'
import { createPolicies } from '../../src/policy/policies.ts'
import { createWaiting } from '../../src/questions/waiting.ts'
import { connect, workspaceId } from '../support/devices.ts'
import { baseUrl, connectEach, type PostOffice, postOffice } from '../support/post-office.ts'
import { until } from '../support/until.ts'

const LATER = { status: 429, headers: { 'retry-after': '30' } }
const NOTE = { title: 'Step done', body: 'On to the next.' }
const SESSION = { sessionId: 's1', machineId: 'm1', agentName: 'Claude Code - shop' }

/** The flows of one process on the office's database; another holder is another start. */
function flowsOf(office: PostOffice, post = office.post) {
  const { db, clock } = office
  return {
    ...{ db, clock, post, baseUrl, outside: createGuardedFetch() },
    policies: createPolicies({ db, clock }),
    waiting: createWaiting(db.bell, clock),
  }
}

function callAt({ clock }: PostOffice) {
  const caller: Caller = {
    ...{ tokenId: 'key_test', tokenName: 'test', workspaceId, test: false },
    ...{ client: undefined, testConnection: false, arrivedAt: clock.now() },
  }
  return { caller, talk() {}, signal: new AbortController().signal }
}

const named = ({ push }: PostOffice, name: string) =>
  push.delivered.filter((one) => one.name === name)
const told = ({ push }: PostOffice) =>
  push.delivered.map(({ payload: { notification } }) => notification)

/** Lets what is on its way arrive. */
async function arrived(office: PostOffice, count: number) {
  await office.push.until(count)
  await until(() => office.push.open() === 0)
}

async function tell(office: PostOffice, more: Partial<SendNotificationInput> = {}) {
  const result = await sendNotification(
    flowsOf(office),
    { ...NOTE, ...SESSION, ...more },
    callAt(office),
  )
  await office.clock.advance(1_000)
  return result
}

test('messages of one session take each other’s place on a device, with a count', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  for (const title of ['one', 'two', 'three']) await tell(office, { title })
  const shown = told(office)
  expect(new Set(shown.map(({ tag }) => tag)).size).toBe(1)
  expect(shown.map(({ body }) => String(body).split('\n')[1])).toEqual([
    'Claude Code - shop',
    'and 1 more from Claude Code - shop',
    'and 2 more from Claude Code - shop',
  ])
  expect(shown.map(({ silent }) => silent ?? false)).toEqual([false, true, true])
  const topics = office.push.delivered.map(({ headers }) => headers.topic)
  expect(topics).toEqual(shown.map(({ tag }) => String(tag)))
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{1,32}$/)
})

test('an ntfy topic is told the same with one sequence, and updates without a sound', async () => {
  await using office = await postOffice()
  const endpoint = `${office.ntfy.origin}/topic`
  await connect(office.db, { kind: 'phone', transport: 'ntfy', keys: undefined, endpoint })
  await tell(office)
  await tell(office)
  const [first, second] = office.ntfy.published
  expect(first?.sequence_id).toMatch(/^n_[\w-]+$/)
  expect(first?.priority).toBe(3)
  expect(second).toMatchObject({
    priority: 2,
    sequence_id: first?.sequence_id,
    message: 'On to the next.\nand 1 more from Claude Code - shop',
  })
})

test('in a chat every message stays, uncounted, and each is retried', async () => {
  await using office = await postOffice()
  const device = office.push.subscribe('chat', LATER, { status: 201 })
  await connect(office.db, { kind: 'chat', ...device })
  for (const title of ['one', 'two']) await tell(office, { title })
  await office.clock.advance(60_000)
  expect(await retryDeliveries(flowsOf(office))).toBe(1)
  await arrived(office, 3)
  const shown = told(office)
  expect(shown.map(({ title }) => title)).toEqual(['one', 'two', 'one'])
  expect(shown.some(({ body }) => String(body).includes('more from'))).toBe(false)
})

test('errors, questions and messages of other types or sessions stay side by side', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const askQuestion = { question: 'Go on?' }
  const each: Array<Partial<SendNotificationInput>> = [
    {},
    { context: { type: 'error' } },
    { context: { type: 'error' } },
    { context: { type: 'task_complete' } },
    { context: { type: 'info', askQuestion } },
    { context: { type: 'info', askQuestion } },
    { sessionId: 's2' },
  ]
  for (const more of each) await tell(office, more)
  for (const question of ['May I?', 'And this?']) {
    await askUser(flowsOf(office), { ...SESSION, question, wait: false }, callAt(office))
    await office.clock.advance(1_000)
  }
  await arrived(office, 9)
  const shown = told(office)
  expect(new Set(shown.map(({ tag }) => tag)).size).toBe(9)
  expect(new Set(office.push.delivered.map(({ headers }) => headers.topic)).size).toBe(9)
  expect(shown.some(({ silent }) => silent)).toBe(false)
})

test('that something is done rings although it takes another’s place', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const done = { context: { type: 'task_complete' } } as const
  await tell(office, done)
  await tell(office, done)
  const [first, second] = told(office)
  expect(second?.tag).toBe(first?.tag)
  expect(second).not.toHaveProperty('silent')
})

test('messages sent at the same moment are counted one after another', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const flows = flowsOf(office)
  const send = () => sendNotification(flows, { ...NOTE, ...SESSION }, callAt(office))
  await Promise.all([send(), send(), send(), send()])
  const counts = told(office).map(({ body }) => /and (\d)/.exec(String(body))?.[1] ?? '0')
  expect(counts.sort()).toEqual(['0', '1', '2', '3'])
})

test('an older message that waits for a retry does not come back over a newer one', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [LATER, { status: 201 }], browser: [] })
  await tell(office, { title: 'one' })
  await tell(office, { title: 'two' })
  expect(named(office, 'phone').map(({ payload }) => payload.notification.title)).toEqual([
    'one',
    'two',
  ])
  await office.clock.advance(60_000)
  expect(await retryDeliveries({ ...flowsOf(office) })).toBe(0)
  expect(named(office, 'phone')).toHaveLength(2)
})

test('an older message is still retried for a device that the newer one was not for', async () => {
  await using office = await postOffice()
  const [, topic] = await connectEach(office, { browser: [], phone: [LATER, { status: 201 }] })
  const other = { title: 'two', subscriberIds: [topic?.id ?? ''] }
  await tell(office, { title: 'one' })
  await tell(office, other)
  await office.clock.advance(60_000)
  expect(await retryDeliveries(flowsOf(office))).toBe(1)
  await arrived(office, 4)
  expect(named(office, 'phone').map(({ payload }) => payload.notification.title)).toEqual([
    'one',
    'two',
    'one',
  ])
})

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
      await using next = office.openPost('the next process')
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
    await using next = office.openPost('the next process')
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
  await using next = office.openPost('the next process')
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
  expect(named(office, 'phone')).toHaveLength(1)
})

for (const [how, move] of Object.entries(ENDINGS)) {
  test(`a question that was ${how} within the grace never rings on the phone`, async () => {
    await using office = await postOffice()
    const id = await askWithGrace(office)
    const ending = move === 'answer' ? { ending: { value: 'yes' } } : {}
    await endQuestion(flowsOf(office), move, { workspaceId, id, ...ending })
    await using next = office.openPost('the next process')
    await office.clock.advance(GRACE_MS)
    expect(await retryDeliveries(flowsOf(office, next))).toBe(0)
    await arrived(office, 2)
    expect(named(office, 'phone')).toEqual([])
    expect(named(office, 'browser')[1]?.payload.notification.data.kind).toBe('outcome')
  })
}

test('what the server holds back never leaves it: no push carries a wish to stay unseen', async () => {
  await using office = await postOffice()
  await connectEach(office, { browser: [], phone: [] })
  const flows = flowsOf(office)
  const ask = { ...SESSION, question: 'May I?', toolName: 'Bash', wait: false }
  await reportPresence(flows, workspaceId, { machineId: SESSION.machineId })
  const suppressed = await askUser(flows, ask, callAt(office))
  expect(suppressed).toMatchObject({ suppressed: true })
  await arrived(office, 1)
  expect(named(office, 'phone')).toEqual([])

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
  expect(office.push.delivered).toHaveLength(1)
})
