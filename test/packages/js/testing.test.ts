import { expect, test } from 'bun:test'
import {
  ask,
  cancel,
  list,
  notify,
  proposeScope,
  resume,
  wait,
} from '../../../packages/js/src/client.ts'
import { gate, protect } from '../../../packages/js/src/protect.ts'
import { fakeServer } from '../../../packages/js/src/testing.ts'

const FORM = {
  type: 'object',
  properties: { amount: { type: 'number', maximum: 50 } },
  required: ['amount'],
} as const

test('a script answers every kind of question, and what it may not answer is an error of the call', async () => {
  const answers: Record<string, boolean | string | object> = {
    ...{ 'Deploy?': true, 'Delete?': false, 'Which?': 'left', 'Name?': 'Ada' },
    ...{ 'Refund?': { amount: 12 }, 'Green.': true, 'Odd?': 'yes', 'More?': { amount: 70 } },
  }
  const { server, questions } = fakeServer(({ question }) => answers[question])
  const about = { server }
  expect(await ask.confirm('Deploy?', about)).toMatchObject({ status: 'answered', value: true })
  expect(await ask.confirm('Delete?', about)).toMatchObject({ status: 'declined' })
  expect(await ask.choose('Which?', ['left', 'right'], about)).toMatchObject({ value: 'left' })
  expect(await ask.text('Name?', about)).toMatchObject({ value: 'Ada' })
  expect(await ask.form('Refund?', FORM, about)).toMatchObject({ value: { amount: 12 } })
  const scope = await proposeScope('Green.', { sessionId: 's', allowedPaths: ['src'], server })
  expect(scope).toMatchObject({ value: { doneWhen: 'Green.', allowedPaths: ['src'] } })
  await expect(ask.confirm('Odd?', about)).rejects.toThrow('true or false')
  await expect(ask.form('More?', FORM, about)).rejects.toThrow('amount must be a number')
  expect(questions.map(({ type }) => type)).toContain('scope')
})

test('an open question is answered later, withdrawn, or expires when time goes by', async () => {
  const fake = fakeServer()
  const { server } = fake
  const night = { server, subject: 'nightly', lifeMs: 8 * 3_600_000 }
  const first = await ask.confirm('Restart?', { ...night, waitMs: 5 })
  if (first.status !== 'waiting') throw new Error(first.status)
  const waiting = resume(first.handle, { server })
  fake.answer(first.id, true, 'Go on.')
  expect(await waiting).toMatchObject({ status: 'answered', note: 'Go on.' })
  expect(await ask.confirm('Restart?', night)).toMatchObject({ id: first.id })
  const asking = ask.confirm('Later?', { server })
  await Bun.sleep(1)
  fake.pass(600_001)
  expect(await asking).toMatchObject({ status: 'expired' })
  const open = await ask.confirm('Never mind?', { server, waitMs: 5 })
  expect(await cancel('id' in open ? String(open.id) : '', { server })).toBe(true)
  expect(await wait('q_none', { server })).toMatchObject({ status: 'missing' })
  expect(await list({ server })).toMatchObject({ questions: [] })
  expect(await list({ server, state: 'ended' })).toMatchObject({
    questions: [{ status: 'cancelled' }, { status: 'expired' }, { status: 'answered' }],
  })
  await notify('Done', 'All of it.', { server })
  expect(fake.notifications).toMatchObject([{ title: 'Done' }])
})

test('a protected function runs once a yes, with its permit', async () => {
  const fake = fakeServer(({ question }) => question !== 'drop?')
  const { server } = fake
  const ran: unknown[] = []
  const refund = protect((one: { id: number }) => ran.push(one), {
    ...{ name: 'refund', subject: 'order-7', server },
  })
  expect(await refund({ id: 7 })).toMatchObject({ status: 'done' })
  expect(await refund({ id: 7 })).toMatchObject({ status: 'refused' })
  expect(await gate('drop', {}, { server })).toMatchObject({ allowed: false })
  expect(ran).toEqual([{ id: 7 }])
  expect(fake.outcomes).toMatchObject([{ outcome: 'succeeded', question: 'refund?' }])
})
