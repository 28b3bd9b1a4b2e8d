import { afterAll, beforeAll, expect, test } from 'bun:test'
import table from '../../../packages/cases/edits.json'
import { resume, type Server } from '../../../packages/js/src/client.ts'
import type { FormSchema } from '../../../packages/js/src/form.ts'
import { gate, protect, usePermit } from '../../../packages/js/src/protect.ts'
import { fakeServer } from '../../../packages/js/src/testing.ts'
import { receiptSentence, verifyReceipt } from '../../../src/ask/receipts/verify-receipt.ts'
import { type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { until } from '../../support/until.ts'

const EDIT = table.edit as FormSchema

let world: RestWorld
let server: Server
beforeAll(async () => {
  world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  server = { url: world.url, token }
})
afterAll(() => world[Symbol.asyncDispose]())

/** A server that answers everything with this value. */
function answering(value: string, bodies: unknown[] = []): Server {
  const reply = { correlationId: 'q_1', question: 'Pay?', type: 'confirm', status: 'answered' }
  const answer = async (_: unknown, { body }: RequestInit = {}) => {
    bodies.push(JSON.parse(String(body)))
    return Response.json({ ...reply, value })
  }
  return { url: 'http://beckon.invalid', token: 'bk_t', fetch: answer as unknown as typeof fetch }
}

test.each(table.offers.map((one) => [one.name, one] as const))(
  'the table of cases: what may be changed: %s',
  async (_, { args, edit, fits }) => {
    const bodies: unknown[] = []
    const options = { edit: edit as FormSchema, server: answering('yes', bodies) }
    const decision = await gate('pay', args, options)
    expect([decision.allowed, bodies.length]).toEqual([fits, fits ? 1 : 0])
    if (!decision.allowed) expect(decision.outcome.status).toBe('refused')
  },
)

test.each(table.replies.map((one) => [one.name, one] as const))(
  'the table of cases: a yes with changes: %s',
  async (_, { value, runs, sha256 }) => {
    const decision = await gate('pay', table.args, { edit: EDIT, server: answering(value) })
    if (!decision.allowed) {
      expect([runs, decision.outcome.status]).toEqual([null, 'unavailable'])
      return
    }
    expect(decision.args ?? table.args).toEqual(runs as never)
    expect(decision.actionHash).toBe(sha256 ?? '')
  },
)

type Open = { correlationId: string; toolName?: string; edit?: unknown }

async function open(tool: string): Promise<string> {
  let id = ''
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = body as { questions: Open[] }
    id = questions.find(({ toolName }) => toolName === tool)?.correlationId ?? ''
    return id !== ''
  })
  return id
}

const answer = (id: string, body: object, as: 'member' | 'agent' = 'member') =>
  world.call({ as, method: 'POST', path: `/api/v1/questions/${id}/answer`, body })

type Pay = { amount: number; to: string; why?: string; on?: string }

function paying(tool: string, ran: Pay[]) {
  const run = async (args: Pay) => {
    ran.push(args)
  }
  return protect(run, {
    name: tool,
    server,
    edit: {
      type: 'object',
      properties: {
        amount: { type: 'number', minimum: 1, maximum: 50 },
        why: { type: 'string', maxLength: 80 },
        on: { type: 'string', format: 'date' },
      },
    },
  })
}

test('what runs is what was changed, within its schema, and the receipt has both', async () => {
  const ran: Pay[] = []
  const args: Pay = { amount: 20, to: 'DE02', why: 'Late.' }
  const going = paying('pay1', ran)(args)
  const id = await open('pay1')
  for (const [changes, field] of [
    [{ amount: 51 }, 'arguments.amount'],
    [{ amount: null }, 'arguments.amount'],
    [{ to: 'XX99' }, 'arguments.to'],
    [{ __proto__: 1, constructor: 'a' }, 'arguments.constructor'],
  ] as const) {
    const { status, body } = await answer(id, { value: 'yes', arguments: changes })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'invalid_answer', fields: [{ field }] },
    })
  }
  expect(await answer(id, { value: 'no', arguments: { amount: 12 } })).toMatchObject({
    status: 422,
  })
  expect(await answer(id, { value: 'yes', arguments: { amount: 12 } })).toMatchObject({
    status: 200,
    body: { value: '{"amount":12,"why":"Late."}' },
  })
  expect(await going).toMatchObject({ status: 'done', id })
  expect(ran).toEqual([{ amount: 12, to: 'DE02', why: 'Late.' }])
  // The ended question takes no other value.
  expect(await answer(id, { value: 'yes', arguments: { amount: 13 } })).toMatchObject({
    status: 409,
    body: { code: 'too_late', outcome: { value: '{"amount":12,"why":"Late."}' } },
  })
  const receipt = await world.call({ as: 'agent', path: `/api/v1/receipts/${id}` })
  const payload = JSON.parse((receipt.body as { payload: string }).payload)
  expect(payload).toMatchObject({
    version: 4,
    decision: {
      value: 'yes',
      edited: {
        before: { amount: 20, why: 'Late.' },
        after: { amount: 12, why: 'Late.' },
      },
    },
  })
  expect(payload.actionHash).not.toBe(payload.decision.edited.actionHash)
  // The key in it is the server's own, which GET /receipts/key has.
  const verified = await verifyReceipt(JSON.stringify(receipt.body))
  if (!verified.ok) throw new Error(verified.why)
  expect(receiptSentence(verified.payload)).toContain('changed')
})

test('the permit is for what was changed, not for what was asked', async () => {
  const args = { amount: 20, to: 'DE02' }
  const going = gate('pay2', args, { edit: EDIT, server, subject: 'p2' })
  const id = await open('pay2')
  expect((await answer(id, { value: 'yes', arguments: { amount: 12 } })).status).toBe(200)
  const decision = await going
  if (!decision.allowed) throw new Error(decision.outcome.status)
  const before = await gate('pay2', args, { server: answering('yes') })
  if (!before.allowed) throw new Error()
  expect(await usePermit(server, { ...before, id })).toMatchObject({ status: 'refused' })
  expect(await usePermit(server, decision)).toStartWith('permit_')
  // The same call again, as after a restart, is told the same.
  expect(await gate('pay2', args, { edit: EDIT, server, subject: 'p2' })).toEqual(decision)
  // A program that knows nothing of changes does not take it for a yes.
  expect(await gate('pay2', args, { server, subject: 'p2' })).toMatchObject({ allowed: false })
})

test('nothing that was changed back, or only looks changed, is a change', async () => {
  const ran: Pay[] = []
  const args: Pay = { amount: 20, to: 'DE02', why: 'a\u202eb' }
  const going = paying('pay3', ran)(args)
  const id = await open('pay3')
  // A text that is not shown as it is is not offered.
  expect(await answer(id, { value: 'yes', arguments: { why: 'ab' } })).toMatchObject({
    body: { fields: [{ field: 'arguments.why' }] },
  })
  expect(await answer(id, { value: 'yes', arguments: { amount: 20 } })).toMatchObject({
    body: { value: 'yes' },
  })
  expect(await going).toMatchObject({ status: 'done' })
  expect(ran).toEqual([args])
})

test('what JSON hides in a value is not offered, and a text of other systems stays as it is', async () => {
  const properties = Object.fromEntries(
    ['nul', 'turn', 'mail'].map((one) => [one, { type: 'string' }]),
  )
  const values = { nul: 'a\u0000b', turn: 'a\u202eb', mail: 'Dear Kim,\r\n\r\nbye' }
  const actionBody = JSON.stringify(values).replace('\u202e', '\\u202e')
  const body = {
    ...{ question: 'Send?', wait: false, requestId: 'action:abc', toolName: 'pay7', actionBody },
    edit: { type: 'object', properties },
  }
  await world.call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
  const id = await open('pay7')
  const { body: inbox } = await world.call({ as: 'member', path: '/api/v1/inbox' })
  const { questions } = inbox as { questions: Open[] }
  expect(questions.find((one) => one.correlationId === id)?.edit).toMatchObject({
    values: { mail: values.mail },
    schema: { properties: { mail: { type: 'string' } } },
  })
  // The same text with the line breaks of a browser is no change.
  const same = { mail: values.mail.replaceAll('\r', '') }
  expect(await answer(id, { value: 'yes', arguments: same })).toMatchObject({
    body: { value: 'yes' },
  })
})

test('two people at once: the first one decides, and the other is told what runs', async () => {
  const ran: Pay[] = []
  const going = paying('pay4', ran)({ amount: 20, to: 'DE02' })
  const id = await open('pay4')
  const replies = await Promise.all(
    [11, 12].map((amount) => answer(id, { value: 'yes', arguments: { amount } })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await going).toMatchObject({ status: 'done' })
  const won = replies[0]?.status === 200 ? 11 : 12
  expect(ran).toEqual([{ amount: won, to: 'DE02' }])
  const lost = replies.find(({ status }) => status === 409)
  expect(lost?.body).toMatchObject({ outcome: { value: JSON.stringify({ amount: won }) } })
})

test('two programs with one handle, or one subject, get one outcome, and one of them runs', async () => {
  const ran: unknown[] = []
  const run = async (args: { amount: number }) => {
    ran.push(args)
  }
  const edit = { type: 'object', properties: { amount: { type: 'number' } } } as const
  const program = () => protect(run, { name: 'pay6', subject: 'order-6', server, edit })
  const first = await protect(run, {
    name: 'pay6',
    subject: 'order-6',
    server,
    edit,
    waitMs: 1_000,
  })({
    amount: 20,
  })
  if (first.status !== 'waiting') throw new Error(first.status)
  const both = [program()({ amount: 20 }), program()({ amount: 20 })]
  const handles = [first.handle, JSON.parse(JSON.stringify(first.handle))]
  const resumed = handles.map((handle) => resume(handle, { server }))
  await answer(await open('pay6'), { value: 'yes', arguments: { amount: 12 } })
  const outcomes = await Promise.all(resumed)
  expect(outcomes[0]).toMatchObject({ status: 'answered', value: { amount: 12 } })
  expect(outcomes[1]).toEqual(outcomes[0] as never)
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.sort()).toEqual(['done', 'refused'])
  expect(ran).toEqual([{ amount: 12 }])
})

test('what makes no offer is refused by its field', async () => {
  const base = {
    ...{ question: 'Pay?', wait: false, requestId: 'action:abc' },
    actionBody: '{"amount":20}',
    edit: { type: 'object', properties: { amount: { type: 'number', maximum: 50 } } },
  }
  const wrong: Array<[object, string]> = [
    [{ edit: { type: 'object', properties: {} } }, 'edit.properties'],
    [{ type: 'input' }, 'edit'],
    [{ requestId: undefined }, 'edit'],
    [{ requestId: 'action:' }, 'edit'],
    [{ actionBody: undefined }, 'edit'],
    [{ actionBody: '[20]' }, 'edit'],
    [{ actionBody: '{"amount":51}' }, 'actionBody.amount'],
  ]
  for (const [more, field] of wrong) {
    const body = { ...base, ...more }
    const reply = await world.call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
    expect(reply).toMatchObject({ status: 422, body: { fields: [{ field }] } })
  }
})

test('an older server is asked for a yes alone', async () => {
  const bodies: Record<string, unknown>[] = []
  const older = (async (url: string | URL | Request, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body ?? '{}'))
    bodies.push(body)
    if (body.edit === undefined) return fetch(url, init)
    const fields = [{ field: 'edit', must: 'is not a field of this' }]
    return Response.json(
      { status: 422, code: 'invalid_input', detail: 'No.', fields },
      { status: 422 },
    )
  }) as typeof fetch
  const deciding = gate('pay5', { amount: 20 }, { edit: EDIT, server: { ...server, fetch: older } })
  await answer(await open('pay5'), { value: 'yes' })
  const decision = await deciding
  expect(decision).toMatchObject({ allowed: true })
  expect(decision).not.toHaveProperty('args')
  expect(bodies.map((one) => 'edit' in one).slice(0, 2)).toEqual([true, false])
})

test('a fake server changes arguments as a person does', async () => {
  const fake = fakeServer(() => ({ amount: 12 }))
  const ran: unknown[] = []
  const pay = protect((args: { amount: number; to: string }) => ran.push(args), {
    name: 'pay',
    server: fake.server,
    edit: { type: 'object', properties: { amount: { type: 'number', maximum: 50 } } },
  })
  expect(await pay({ amount: 20, to: 'DE02' })).toMatchObject({ status: 'done' })
  expect(ran).toEqual([{ amount: 12, to: 'DE02' }])
})

test('only members of the argument, as what they are, can be offered', () => {
  const run = (_: { amount: number; to: string }) => {}
  const number = { type: 'number' } as const
  protect(run, { edit: { type: 'object', properties: { amount: number } } })
  // @ts-expect-error no such member
  protect(run, { edit: { type: 'object', properties: { other: number } } })
  // @ts-expect-error a number is no text
  protect(run, { edit: { type: 'object', properties: { to: number } } })
})

test('a function of several parameters has no names that could be changed, and says what would have', async () => {
  const run = (amount: { value: number }, to: string) => [amount, to]
  const number = { type: 'number' } as const
  const bodies: unknown[] = []
  const pay = protect(run, {
    server: answering('yes', bodies),
    edit: { type: 'object', properties: { value: number } },
  })
  const outcome = await pay({ value: 20 }, 'DE02')
  expect(outcome).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('one object'),
  })
  expect(bodies).toEqual([])
})
