import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digestOf } from '../../../packages/js/src/canonical.ts'
import type { TokenId } from '../../../src/ask/accounts/model/ids.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { releaseAnswer } from '../../../src/ask/answering/hold-answer.ts'
import { questionMessage } from '../../../src/ask/delivery/question-message.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { issuePermit } from '../../../src/ask/permits/permits.ts'
import type { QuestionDetail } from '../../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { aQuestion } from '../../support/question.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld({ undo: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const VALUES = { amount: 20, to: 'DE02', why: 'Late.\nTwice.' }
const DETAIL: QuestionDetail = {
  toolName: 'pay',
  action: 'pay {"amount":20}',
  actionBody: JSON.stringify(VALUES, null, 2),
  actionHash: 'abc',
  edit: {
    schema: {
      type: 'object',
      properties: {
        amount: { type: 'number', title: 'Amount in EUR', minimum: 1, maximum: 50 },
        why: { type: 'string', maxLength: 80 },
        tags: { type: 'array', items: { type: 'string', enum: ['vip', 'late'] } },
      },
    },
    values: { amount: 20, why: VALUES.why },
  },
}
const SAME = [
  ['value', 'yes'],
  ['editing', 'yes'],
  ['f.amount', '20'],
  // As browsers send a text of several lines.
  ['f.why', 'Late.\r\nTwice.'],
]
const CHANGED = SAME.map(([name = '', value = '']) => [name, name === 'f.amount' ? '12' : value])

const ask = (detail: QuestionDetail = DETAIL) => world.ask({ question: 'Pay?', detail })
const read = async (id: QuestionId) => {
  const question = await readQuestion({ db: world.db, clock: systemClock }, world, id)
  return { status: question?.status, value: question?.value, edited: question?.detail.edited }
}
const OPEN = { status: 'pending', value: undefined, edited: undefined } as const

/** The fields of the form on a page that sends it again. */
function hiddenIn(html: string): string[][] {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&#10;', '\n')])
}

test('the page says which arguments may be changed, and shows the difference before it counts', async () => {
  const id = await ask()
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page).toContain('Only Amount in EUR, why, tags can be changed.')
  expect(page).toMatch(/name="f\.amount"[^>]*value="20"|value="20"[^>]*name="f\.amount"/)
  expect(page).not.toContain('name="f.to"')
  const twice = await (await world.post(`/d/${id}/answer`, CHANGED)).text()
  expect(twice).toContain('Approve it with these changes?')
  expect(twice).toMatch(/<del>20<.del>/)
  expect(twice).toMatch(/<ins>12<.ins>/)
  expect(await read(id)).toEqual(OPEN)
  const sure = [...hiddenIn(twice), ['value', 'yes']]
  // Another value than the one that was shown is shown first, whatever the form claims.
  const forged = sure.map(([name = '', value = '']) => [name, name === 'f.amount' ? '49' : value])
  expect(await (await world.post(`/d/${id}/answer`, forged)).text()).toContain('<ins>49</ins>')
  expect(await read(id)).toEqual(OPEN)
  await world.post(`/d/${id}/answer`, sure)
  expect(await read(id)).toEqual({
    status: 'answered',
    value: 'yes',
    edited: { amount: 12, why: VALUES.why },
  })
  // A form that is sent again, with the same or with other values, changes nothing.
  await world.post(`/d/${id}/answer`, forged)
  expect((await read(id)).edited).toEqual({ amount: 12, why: VALUES.why })
  const ended = await (await world.get(`/d/${id}`)).text()
  expect(ended).toContain('Approved with changes')
  expect(ended).toContain('<ins>12</ins>')
})

test('a row of the inbox names the arguments instead of their JSON', async () => {
  await ask({ ...DETAIL, actionBody: JSON.stringify({ to: 'DE07', why: 'a\nb' }) })
  const html = await (await world.get('/inbox')).text()
  expect(html).toContain('pay to: DE07 · why: a b')
})

test('a form that changes nothing is a plain yes', async () => {
  const id = await ask({ ...DETAIL, toolName: 'book', action: 'book {"amount":20}' })
  await world.post(`/d/${id}/answer`, SAME)
  expect(await read(id)).toEqual({ status: 'answered', value: 'yes', edited: undefined })
})

test('a value outside the schema is shown again with what is wrong, and can be changed again', async () => {
  // Also where a yes is asked twice: else the second yes would be to the call as it was.
  const id = await ask()
  for (const value of ['51', '', 'much']) {
    const fields = SAME.map(([name = '', one = '']) => [name, name === 'f.amount' ? value : one])
    const reply = await world.post(`/d/${id}/answer`, fields)
    expect(reply.status).toBe(422)
    expect(await reply.text()).toContain('It must be a number of 1 to 50.')
  }
  await world.post(`/d/${id}/answer`, [...SAME, ['f.to', 'XX99'], ['sure', 'yes']])
  expect(await read(id)).toMatchObject({ edited: undefined, value: 'yes' })
  const again = await (await world.post(`/d/${await ask()}/scope`, CHANGED)).text()
  expect(again).toMatch(/value="12"/)
})

test('a text can be emptied, a list filled in, and Undo takes the changes back with the yes', async () => {
  const id = await ask()
  const fields = [...CHANGED.filter(([name]) => name !== 'f.why'), ['f.why', ''], ['f.tags', 'vip']]
  const twice = await (await world.post(`/d/${id}/answer`, fields)).text()
  await world.post(`/d/${id}/answer`, [...hiddenIn(twice), ['value', 'yes']])
  expect(await read(id)).toMatchObject({ edited: { amount: 12, why: '', tags: ['vip'] } })
  await world.post(`/d/${id}/undo`, {})
  expect(await read(id)).toEqual(OPEN)
})

test('a held yes is sent with its changes, and its permit is for them alone', async () => {
  const id = await ask()
  const twice = await (await world.post(`/d/${id}/answer`, CHANGED)).text()
  await world.post(`/d/${id}/answer`, [...hiddenIn(twice), ['value', 'yes']])
  const deps = { db: world.db, clock: systemClock, onEnded: [] }
  const { workspaceId } = world
  await releaseAnswer(deps, { workspaceId, questionId: id })
  const question = await findQuestion(world.db.read, workspaceId, id)
  const edited = { amount: 12, why: VALUES.why }
  expect(question).toMatchObject({ status: 'answered', value: 'yes', detail: { edited } })
  const asker = { workspaceId, tokenId: question?.tokenId ?? ('' as TokenId) }
  const bound = await digestOf({ action: 'abc', edited })
  await expect(issuePermit(deps, asker, id, 'abc')).rejects.toMatchObject({
    code: 'permit_mismatch',
  })
  expect(await issuePermit(deps, asker, id, bound)).toMatchObject({ actionHash: bound })
})

test('a high risk with changes is asked about once more, with both', async () => {
  const id = await ask({ ...DETAIL, risk: 'high' })
  const twice = await (await world.post(`/d/${id}/answer`, CHANGED)).text()
  expect(twice).toContain('<ins>12</ins>')
  await world.post(`/d/${id}/answer`, [...hiddenIn(twice), ['value', 'yes']])
  expect(await read(id)).toMatchObject({ status: 'answered', edited: { amount: 12 } })
})

test('hostile values stay text, and a button never changes anything', async () => {
  const hostile = '</textarea><script>alert(1)</script>'
  const values = { amount: 20, why: hostile }
  const edit = { ...DETAIL.edit, values } as NonNullable<QuestionDetail['edit']>
  const id = await ask({ ...DETAIL, edit, actionBody: JSON.stringify(values) })
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page).not.toContain('<script>alert')
  const deps = { db: world.db, clock: systemClock, onEnded: [] }
  const { workspaceId } = world
  const one = { workspaceId, questionId: id, value: 'yes', changes: { amount: 12 } }
  const by = newId('person', 1)
  for (const how of [{}, { by, source: 'answer_link' }, { by, device: newId('sub', 1) }] as const) {
    await expect(answerQuestion(deps, { ...one, ...how })).rejects.toMatchObject({
      fields: [{ field: 'arguments' }],
    })
  }
  const { message } = questionMessage(aQuestion('1', { question: 'Pay?', detail: DETAIL }))
  expect(message).toMatchObject({ question: { quick: false } })
})
