import { afterAll, beforeAll, expect, test } from 'bun:test'
import table from '../../../packages/cases/forms.json'
import { ask, resume, type Server, wait } from '../../../packages/js/src/client.ts'
import {
  type FormSchema,
  readForm,
  wrongSchema,
  wrongValue,
} from '../../../packages/js/src/form.ts'
import { type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { until } from '../../support/until.ts'

const FORM = table.form as FormSchema

let world: RestWorld
let server: Server
beforeAll(async () => {
  world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  server = { url: world.url, token }
})
afterAll(() => world[Symbol.asyncDispose]())

test.each(table.values.map((one) => [one.name, one] as const))(
  'the table of cases: the answer to a form: %s',
  (_, { json, wrong }) => {
    const names = wrongValue(FORM, JSON.parse(json)).map(({ field }) => field)
    expect(names).toEqual(wrong)
    expect(readForm(FORM, json)).toEqual(wrong.length > 0 ? undefined : JSON.parse(json))
  },
)

test.each(table.schemas.map((one) => [one.name, one] as const))(
  'the table of cases: a schema that is no form: %s',
  (_, { schema, wrong }) => {
    expect(wrongSchema(schema).map(({ field }) => field)).toEqual(wrong)
  },
)

test('a form of the table is one, and text that is no JSON answers none', () => {
  expect(wrongSchema(FORM)).toEqual([])
  expect(readForm(FORM, 'yes')).toBeUndefined()
})

async function open(question: string): Promise<string> {
  let id = ''
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = body as { questions: { correlationId: string; question: string }[] }
    id = questions.find((one) => one.question === question)?.correlationId ?? ''
    return id !== ''
  })
  return id
}

const REFUND = {
  type: 'object',
  properties: {
    amount: { type: 'number', title: 'Refund in EUR', minimum: 0, maximum: 50, default: 20 },
    reason: { type: 'string', enum: ['damaged', 'late'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['amount', 'reason'],
} as const

test('a form is answered with its JSON, typed and checked on both sides, also by its handle', async () => {
  const first = await ask.form('Refund?', REFUND, { server, subject: 'r1', waitMs: 1_000 })
  if (first.status !== 'waiting') throw new Error(first.status)
  const going = ask.form('Refund?', REFUND, { server, subject: 'r1' })
  const id = await open('Refund?')
  const path = `/api/v1/questions/${id}/answer`
  const send = (value: unknown) =>
    world.call({ as: 'member', method: 'POST', path, body: { value } })
  for (const value of ['yes', '{}', '{"amount":70,"reason":"late"}', '[]']) {
    expect((await send(value)).status).toBe(422)
  }
  const refused = await send('{"amount":70,"reason":"late"}')
  expect(refused.body).toMatchObject({
    code: 'invalid_answer',
    detail: 'Refund in EUR must be a number of 0 to 50.',
    fields: [{ field: 'value.amount' }],
  })
  // Members in another order, and what turns text, are stored as the form has them.
  expect((await send('{"tags":["a\\u202eb"],"reason":"late","amount":12.5}')).status).toBe(200)
  const outcome = await going
  if (outcome.status !== 'answered') throw new Error(outcome.status)
  const amount: number = outcome.value.amount
  const reason: 'damaged' | 'late' = outcome.value.reason
  const tags: string[] | undefined = outcome.value.tags
  expect([amount, reason, tags]).toEqual([12.5, 'late', ['ab']])
  const handle = JSON.parse(JSON.stringify(first.handle))
  expect(await resume(handle, { server })).toMatchObject({ value: outcome.value })
  // Without the form, the value is the JSON text of the wire.
  expect(await wait(id, { server })).toMatchObject({
    value: '{"amount":12.5,"reason":"late","tags":["ab"]}',
  })
})

test('a schema that makes no form is refused by its place, and goes with input alone', async () => {
  const post = (body: object) =>
    world.call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
  const base = { question: 'Refund?', wait: false }
  for (const { schema, wrong } of table.schemas.filter((one) => !Array.isArray(one.schema))) {
    const { status, body } = await post({ ...base, schema })
    const fields = (body as { fields?: { field: string }[] }).fields ?? []
    expect([status, fields.map(({ field }) => field)]).toEqual([
      422,
      wrong.map((name) => `schema.${name}`),
    ])
  }
  for (const more of [{ type: 'confirm' }, { type: 'select', options: ['a', 'b'] }]) {
    expect(await post({ ...base, ...more, schema: REFUND })).toMatchObject({
      body: { fields: [{ field: 'schema' }] },
    })
  }
  const hidden = { ...REFUND.properties, amount: { type: 'number', title: 'A\u202eB' } }
  expect(await post({ ...base, schema: { ...REFUND, properties: hidden } })).toMatchObject({
    body: { fields: [{ field: 'schema.properties.amount.title' }] },
  })
  const alike = { ...REFUND.properties, reason: { type: 'string', enum: ['paypal', 'pаypal'] } }
  expect(await post({ ...base, schema: { ...REFUND, properties: alike } })).toMatchObject({
    body: { fields: [{ field: 'schema.properties.reason.enum' }] },
  })
})

test('a server that does not know a field, as an older one does not know forms, is said to be older', async () => {
  const schema = { type: 'object', properties: { days: { type: 'integer' } } } as const
  const options = { server, newer: true }
  const error = await ask.form('How long?', schema, options).catch((one) => one)
  expect(error).toMatchObject({ code: 'invalid_input', fields: [{ field: 'newer' }] })
  expect(error.message).toContain('may be older than the package')
  // Of another fault nothing is guessed.
  const wrong = await ask.form('', schema, { server }).catch((one) => one)
  expect(wrong).toMatchObject({ code: 'invalid_input', fields: [{ field: 'question' }] })
  expect(wrong.message).not.toContain('older')
})
