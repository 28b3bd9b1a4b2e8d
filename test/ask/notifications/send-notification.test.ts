import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { flowWorld } from '../../support/flow-world.ts'

const NOTE = { title: 'Build finished', body: 'All 214 tests pass.' }

// spec: QS-WHAT-4
test('a notification reaches every device and counts browsers and phones apart', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await world.device('desk')
  await world.device('phone', { kind: 'phone' })
  expect(await sendNotification(world.deps, NOTE, world.call())).toEqual({
    sent: 3,
    delivery: { web: { recipients: 2 }, mobile: { recipients: 1 } },
  })
  expect(world.deliveries.map(({ message }) => message.urgency)).toEqual([
    'normal',
    'normal',
    'normal',
  ])
})

// spec: QS-RULE-2, QS-ERR-1
test('reaching nobody is a success that names what to connect', async () => {
  await using world = await flowWorld()
  const result = await sendNotification(world.deps, NOTE, world.call())
  expect(result).toMatchObject({
    sent: 0,
    delivery: {
      web: { recipients: 0, status: 'No browser is connected.' },
      mobile: { recipients: 0, status: 'No phone is connected.' },
    },
  })
  expect(result.warning).toContain('Settings, Devices')
})

test('a channel that reached nobody says why, without falling back on the other', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  world.receipts.set('phone', async () => ({ outcome: 'refused', status: 403, reason: 'no' }))
  const result = await sendNotification(world.deps, NOTE, world.call())
  expect(result.sent).toBe(1)
  expect(result.delivery.mobile.status).toContain('No phone accepted')
  expect(result.warning).toBeUndefined()
})

test('a push that is still on its way on one channel says nothing of the other', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  world.receipts.set('laptop', async () => ({ outcome: 'refused', status: 403, reason: 'no' }))
  world.receipts.set('phone', async () => ({ outcome: 'later', status: 503, reason: 'busy' }))
  const { delivery } = await sendNotification(world.deps, NOTE, world.call())
  expect(delivery.web.status).toContain('No browser accepted the push')
  expect(delivery.mobile.status).toContain('has not answered for any phone yet')
})

// spec: QS-RULE-1
test('targeting restricts delivery to what its fields name', async () => {
  await using world = await flowWorld()
  await world.device('a', { externalId: 'ann' })
  await world.device('b', { tags: ['ops', 'night'] })
  await world.device('c')
  await sendNotification(
    world.deps,
    { ...NOTE, externalIds: ['ann'], tags: ['night'] },
    world.call(),
  )
  expect(world.deliveries.map(({ to }) => to.label).sort()).toEqual(['a', 'b'])
  const none = await sendNotification(world.deps, { ...NOTE, tags: ['nobody'] }, world.call())
  expect(none.delivery.web.status).toBe('No browser matches the targeting.')
})

test('an error is urgent, and context makes a detail page in place of the url', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await sendNotification(
    world.deps,
    { ...NOTE, url: 'https://example.com/build', context: { type: 'error', errorMessage: 'boom' } },
    world.call(),
  )
  await sendNotification(world.deps, { ...NOTE, url: 'https://example.com/build' }, world.call())
  expect(world.deliveries.map(({ message }) => message.urgency)).toEqual(['high', 'normal'])
  expect(world.deliveries[0]?.message.url).toStartWith('/n/n_')
  expect(world.deliveries[1]?.message.url).toBe('https://example.com/build')
})

test('an embedded question is answered and collected under linkedCorrelationId', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const askQuestion = { question: 'Which next?', type: 'select' as const, options: ['a', 'b'] }
  const context = { type: 'task_complete' as const, askQuestion }
  const { linkedCorrelationId } = await sendNotification(deps, { ...NOTE, context }, call())
  const correlationId = linkedCorrelationId as QuestionId
  const { workspaceId } = call().caller
  await answerQuestion(deps, { workspaceId, questionId: correlationId, value: 'b' })
  expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
    status: 'answered',
    value: 'b',
    question: 'Which next?',
  })
  // The outcome takes its place; it is asked once.
  const questions = world.deliveries.filter(({ message }) => message.kind === 'question')
  expect(questions).toHaveLength(1)
})

test('a select without options is refused by name, and nothing is recorded', async () => {
  await using world = await flowWorld()
  const context = {
    type: 'info' as const,
    askQuestion: { question: 'Which?', type: 'select' as const },
  }
  await expect(sendNotification(world.deps, { ...NOTE, context }, world.call())).rejects.toThrow(
    'options',
  )
  const { workspaceId } = world.call().caller
  expect((await readActivity(world.deps, { workspaceId })).items).toEqual([])
})

test('test traffic is recorded and delivered to nobody', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const result = await sendNotification(world.deps, { ...NOTE, env: 'test' }, world.call())
  expect(result).toMatchObject({ sent: 0, env: 'test' })
  expect(result.warning).toBeUndefined()
  expect(world.deliveries).toEqual([])
})

test('the activity lists everything once, newest first, page by page', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  const ids: string[] = []
  for (let i = 0; i < 25; i++) {
    await clock.advance(1)
    if (i % 3 === 0) {
      const { correlationId } = await askUser(deps, { question: `Q${i}?`, wait: false }, call())
      ids.push(correlationId)
    } else {
      await sendNotification(deps, { ...NOTE, title: `N${i}` }, call())
      ids.push(`N${i}`)
    }
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await readActivity(
      deps,
      { workspaceId: call().caller.workspaceId },
      { cursor, limit: 7 },
    )
    expect(page.items.length).toBeLessThanOrEqual(7)
    for (const item of page.items) {
      seen.push(item.kind === 'question' ? item.question.id : item.notification.title)
    }
    cursor = page.next
  } while (cursor)
  expect(seen).toEqual(ids.reverse())
  await expect(
    readActivity(deps, { workspaceId: call().caller.workspaceId }, { cursor: "' or 1=1" }),
  ).rejects.toMatchObject({ code: 'malformed' })
})

test('a tap on what is no web address opens the notification itself', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
    const { hint } = await sendNotification(world.deps, { ...NOTE, url }, world.call())
    expect(hint).toStartWith('url was not used')
    expect(world.deliveries.at(-1)?.message.url).toMatch(/^\/n\/n_/)
  }
  await sendNotification(world.deps, { ...NOTE, url: 'https://example.com/x' }, world.call())
  expect(world.deliveries.at(-1)?.message.url).toBe('https://example.com/x')
})

test('a headline or text of nothing but what is stripped is named', async () => {
  await using world = await flowWorld()
  const nothing = { title: '\u202e', body: '\u200b\n' }
  await expect(sendNotification(world.deps, nothing, world.call())).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [
      { field: 'title', must: 'must have something that can be seen' },
      { field: 'body', must: 'must have something that can be seen' },
    ],
  })
})

test('equal options of an embedded question are refused by the field where they stand', async () => {
  await using world = await flowWorld()
  const askQuestion = { question: 'Which?', type: 'select' as const, options: ['a', 'b', ' a '] }
  const context = { type: 'info' as const, askQuestion }
  expect(sendNotification(world.deps, { ...NOTE, context }, world.call())).rejects.toThrow(
    'context.askQuestion.options[2] must differ from every other option',
  )
})
