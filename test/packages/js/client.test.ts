import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, cancel, list, notify, proposeScope, wait } from '../../../packages/js/src/client.ts'
import { gate, humanAsTool, protect } from '../../../packages/js/src/protect.ts'
import type { Server } from '../../../packages/js/src/server.ts'
import { type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { until } from '../../support/until.ts'

let world: RestWorld
let server: Server
beforeAll(async () => {
  world = await restWorld()
  server = { url: world.url, token: tokenOf('agent') }
})
afterAll(() => world[Symbol.asyncDispose]())

function tokenOf(as: 'agent' | 'tester'): string {
  return (world.headersOf(as).authorization ?? '').replace('Bearer ', '')
}

type Open = {
  correlationId: string
  question: string
  context?: string
  action?: string
  actionBody?: string
}

async function open(question: string): Promise<Open> {
  let match: Open | undefined
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    match = (body as { questions: Open[] }).questions.find((one) => one.question === question)
    return match !== undefined
  })
  return match as Open
}

/** The report comes after the value. */
async function reported(text: string): Promise<void> {
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/audit?kind=permit.outcome' })
    return JSON.stringify(body).includes(text)
  })
}

async function answer(question: string, value: string, note?: string): Promise<Open> {
  const entry = await open(question)
  const body = note === undefined ? { value } : { value, note }
  const path = `/api/v1/questions/${entry.correlationId}/answer`
  await world.call({ as: 'member', method: 'POST', path, body })
  return entry
}

test('a yes, a no, a choice and a text', async () => {
  const yes = ask.confirm('Deploy?', { server, context: 'All tests pass.' })
  const { correlationId: id } = await answer('Deploy?', 'yes', 'Go on.')
  expect(await yes).toMatchObject({ status: 'answered', value: true, note: 'Go on.', id })
  const no = ask.confirm('Delete it?', { server })
  await answer('Delete it?', 'no')
  expect(await no).toMatchObject({ status: 'declined', question: 'Delete it?' })
  const choice = ask.choose('Which one?', ['left', 'right'], { server })
  await answer('Which one?', 'right')
  expect(await choice).toMatchObject({ status: 'answered', value: 'right' })
  const text = ask.text('Which name?', { server, placeholder: 'a name' })
  await answer('Which name?', 'Ada')
  expect(await text).toMatchObject({ status: 'answered', value: 'Ada' })
})

test('a caller that stops waiting goes on later, with the id alone', async () => {
  const outcome = await ask.confirm('In a while?', { server, waitMs: 1_000 })
  if (outcome.status !== 'waiting') throw new Error(outcome.status)
  const later = wait(outcome.id, { server })
  await answer('In a while?', 'yes')
  expect(await later).toMatchObject({ status: 'answered', value: true })
  expect(await wait('q_0000000000000000000000000', { server })).toMatchObject({ status: 'missing' })
})

test('the same subject is the same question, also from another process', async () => {
  const twice = () => ask.confirm('Once only?', { server, subject: 'deploy-42' })
  const both = [twice(), twice()]
  await answer('Once only?', 'yes')
  // Where it has rung meanwhile may differ.
  const outcomes = [...(await Promise.all(both)), await twice()].map((outcome) => ({
    ...outcome,
    delivery: undefined,
  }))
  const [first] = outcomes
  expect(first).toMatchObject({ status: 'answered', value: true, id: expect.any(String) })
  expect(outcomes).toEqual([first, first, first] as never)
})

test('a withdrawn question is told to who waits', async () => {
  const asking = ask.confirm('Withdrawn?', { server })
  const { correlationId } = await open('Withdrawn?')
  expect(await cancel(correlationId, { server, reason: 'not needed' })).toBe(true)
  expect(await asking).toMatchObject({ status: 'cancelled' })
  expect(await cancel(correlationId, { server })).toBe(false)
})

test('test mode, notifications and scopes', async () => {
  const held = await ask.confirm('Only a test?', { server: { ...server, test: true } })
  expect(held).toMatchObject({ status: 'held' })
  const result = await notify('Done', 'All of it.', { server })
  expect(result).toMatchObject({ status: 'sent', sent: 1, delivery: { web: { recipients: 1 } } })
  const scope = { server, sessionId: 's1', allowedPaths: ['src'] }
  const proposed = proposeScope('Tests pass.', scope)
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const [question] = (body as { questions: Open[] }).questions
    if (!question) return false
    const path = `/api/v1/questions/${question.correlationId}/answer`
    await world.call({ as: 'member', method: 'POST', path, body: { value: 'yes' } })
    return true
  })
  const agreed = await proposed
  if (agreed.status !== 'answered') throw new Error(agreed.status)
  expect(agreed.value.allowedPaths).toContain('src')
  // Also who has its id alone gets the contract.
  expect(await wait(agreed.id, { server })).toMatchObject({ value: agreed.value })
})

test('a proposal whose reply is lost is asked once', async () => {
  let calls = 0
  const flaky = async (url: string | URL | Request, init?: RequestInit) => {
    calls += 1
    if (calls > 1) return await fetch(url, init)
    await fetch(url, { ...init, body: String(init?.body).replace('20000', '1000') })
    throw new TypeError('the connection broke')
  }
  const scope = { sessionId: 's3', server: { ...server, fetch: flaky as typeof fetch } }
  const proposed = proposeScope('Asked once.', scope)
  await until(() => calls === 2)
  const question = 'Agree to this scope? Done when: Asked once.'
  await answer(question, 'yes')
  expect(await proposed).toMatchObject({ status: 'answered', value: { doneWhen: 'Asked once.' } })
  const { body } = await world.call({ as: 'member', path: '/api/v1/activity' })
  expect(JSON.stringify(body).split(question)).toHaveLength(2)
})

test('who gives up withdraws the question, and a later yes runs nothing', async () => {
  const ran: unknown[] = []
  const givenUp = new AbortController()
  const options = { name: 'deploy', server, signal: givenUp.signal }
  const done = protect(() => ran.push(1), options)()
  const asking = ask.confirm('Given up?', { server, signal: givenUp.signal })
  const shared = ask.confirm('Shared?', { server, signal: givenUp.signal, subject: 'all' })
  const ids = [await open('deploy?'), await open('Given up?'), await open('Shared?')]
  asking.catch(() => {})
  shared.catch(() => {})
  givenUp.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
  await expect(shared).rejects.toThrow('enough')
  expect(await done).toMatchObject({ status: 'refused', reason: 'enough' })
  const [first, second, third] = ids.map(({ correlationId }) => correlationId)
  expect(await wait(first ?? '', { server })).toMatchObject({ status: 'cancelled' })
  expect(await wait(second ?? '', { server })).toMatchObject({ status: 'cancelled' })
  // Others may wait for what has a name.
  expect(await wait(third ?? '', { server, waitMs: 1_000 })).toMatchObject({ status: 'waiting' })
  await answer('Shared?', 'no')
  expect(ran).toEqual([])
})

test('a signal that lives long keeps nothing of the calls that had it', async () => {
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...args)
  }
  const busy = async () => Response.json({ status: 503, code: 'unavailable' }, { status: 503 })
  const server = { url: world.url, fetch: busy as unknown as typeof fetch }
  await ask.confirm('Hello?', { server, signal, waitMs: 1_000 })
  expect(listeners).toBe(0)
})

test('an open question says where it can be answered, and whom it reached', async () => {
  const outcome = await ask.confirm('Where?', { server, waitMs: 1_000 })
  if (outcome.status !== 'waiting') throw new Error(outcome.status)
  expect(outcome.answerUrl).toEndWith(`/${outcome.id}`)
  expect(outcome.delivery).toEqual({ web: 1, mobile: 0 })
  await answer('Where?', 'no')
})

test('a wrong token and a wrong field are errors, an absent server is an outcome', async () => {
  const wrong = ask.confirm('Hello?', { server: { ...server, token: 'bk_wrong' } })
  await expect(wrong).rejects.toMatchObject({ name: 'BeckonError', code: 'unauthenticated' })
  const empty = ask.choose('Which?', ['one'], { server })
  await expect(empty).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'options' }],
  })
  const away = await ask.confirm('Hello?', { server: { url: 'http://127.0.0.1:1' }, waitMs: 1_000 })
  expect(away).toMatchObject({ status: 'unreachable' })
})

test('replies that break off, and pages of a proxy, ask nobody twice', async () => {
  let calls = 0
  const flaky = async (url: string | URL | Request, init?: RequestInit) => {
    calls += 1
    const reply = await fetch(url, init)
    if (calls === 1) throw new TypeError('the connection broke')
    if (calls === 2) return new Response('<h1>Bad gateway</h1>', { status: 502 })
    return reply
  }
  const asking = ask.confirm('Asked once?', {
    server: { ...server, fetch: flaky as typeof fetch },
    waitMs: 20_000,
  })
  await answer('Asked once?', 'yes')
  expect(await asking).toMatchObject({ status: 'answered' })
  const { body } = await world.call({ as: 'member', path: '/api/v1/activity' })
  const text = JSON.stringify(body)
  expect(text.split('Asked once?')).toHaveLength(2)
})

test('a protected function runs once with what was shown, and says what became of it', async () => {
  const ran: unknown[] = []
  const remove = protect(
    (customer: { id: number }) => {
      ran.push(customer)
      return 'gone'
    },
    {
      name: 'remove',
      label: 'Delete a customer',
      effect: 'It cannot be undone.',
      risk: 'high',
      server,
    },
  )
  const done = remove({ id: 7 })
  const question = await answer('Delete a customer?', 'yes')
  expect(question).toMatchObject({ action: 'remove {"id":7}', actionBody: '{\n  "id": 7\n}' })
  expect(await done).toMatchObject({ status: 'done', value: 'gone', id: question.correlationId })
  expect(ran).toEqual([{ id: 7 }])
  await reported('succeeded')

  const declined = remove({ id: 8 })
  await answer('Delete a customer?', 'no')
  expect(await declined).toMatchObject({ status: 'declined' })
  expect(ran).toHaveLength(1)
})

test('a server that is too old for effect and risk is asked with both in its words', async () => {
  const older = (async (url: string | URL | Request, init?: RequestInit) => {
    const { effect, risk } = JSON.parse(String(init?.body ?? '{}'))
    if (effect === undefined && risk === undefined) return await fetch(url, init)
    const fields = ['effect', 'risk'].map((field) => ({ field, must: 'is not a field' }))
    const problem = { status: 422, code: 'invalid_input', detail: 'Unknown.', fields }
    return Response.json(problem, { status: 422 })
  }) as typeof fetch
  const stakes = { effect: 'It is gone.', risk: 'high', context: 'They asked.' } as const
  const deciding = gate('erase', { id: 1 }, { ...stakes, server: { ...server, fetch: older } })
  const question = await answer('erase?', 'yes')
  expect(question).toMatchObject({ context: 'It is gone. Risk: high. They asked.' })
  expect(await deciding).toMatchObject({ allowed: true })
})

test('a subject may follow from the arguments: two processes ask about one order once', async () => {
  const ran: unknown[] = []
  const refund = () =>
    protect((order: { id: number }) => ran.push(order.id), {
      ...{ name: 'refund', server },
      subject: ({ id }) => `order-${id}`,
    })
  const both = [refund()({ id: 7 }), refund()({ id: 7 })]
  const other = refund()({ id: 8 })
  await answer('refund?', 'no')
  await answer('refund?', 'no')
  const outcomes = await Promise.all([...both, other])
  expect(outcomes.map(({ status }) => status)).toEqual(['declined', 'declined', 'declined'])
  const broken = protect((order: { id: number }) => ran.push(order), {
    ...{ name: 'refund', server },
    subject: () => {
      throw new Error('no id')
    },
  })
  expect(await broken({ id: 1 })).toMatchObject({ status: 'refused', reason: 'no id' })
  expect(ran).toEqual([])
})

test('what a protected function throws is thrown on, and recorded', async () => {
  const broken = protect(() => Promise.reject(new Error('no disk')), { name: 'broken', server })
  const failed = broken()
  failed.catch(() => {})
  await answer('broken?', 'yes')
  await expect(failed).rejects.toThrow('no disk')
  await reported('failed: no disk')
})

test('a gate that cannot ask is closed', async () => {
  const long = await gate('write', { text: 'x'.repeat(4_001) }, { server })
  expect(long).toMatchObject({ allowed: false, outcome: { status: 'too_long' } })
  const odd = await gate('write', { n: Number.NaN }, { server })
  expect(odd).toMatchObject({ allowed: false, outcome: { status: 'not_json' } })
  const wrong = await gate('write', {}, { server: { ...server, token: 'bk_no' } })
  expect(wrong).toMatchObject({ allowed: false, outcome: { status: 'refused' } })
  const away = await gate('write', {}, { server: { url: 'http://127.0.0.1:1' }, waitMs: 1_000 })
  expect(away).toMatchObject({ allowed: false, outcome: { status: 'unreachable' } })
})

test('a server without permits runs nothing', async () => {
  let ran = false
  const older = async (url: string | URL | Request, init?: RequestInit) =>
    String(url).endsWith('/permit')
      ? Response.json({ code: 'not_found', detail: 'There is nothing here.' }, { status: 404 })
      : fetch(url, init)
  const act = protect(() => (ran = true), {
    name: 'act',
    server: { ...server, fetch: older as typeof fetch },
  })
  const refused = act()
  await answer('act?', 'yes')
  expect(await refused).toMatchObject({ status: 'refused' })
  expect(ran).toBe(false)
})

test('a person is a tool', async () => {
  const tool = humanAsTool({ server })
  const choice = tool.run({ question: 'Tea or coffee?', choices: ['tea', 'coffee'] })
  await answer('Tea or coffee?', 'tea')
  expect(await choice).toMatchObject({ status: 'answered', value: 'tea' })
})

test('a token lists what it asked, page by page', async () => {
  const sessionId = 'listing'
  const ids: string[] = []
  for (const question of ['One?', 'Two?', 'Three?']) {
    const outcome = await ask.confirm(question, { server, sessionId, waitMs: 1_000 })
    if (outcome.status === 'waiting') ids.unshift(outcome.id)
  }
  const page = async (options: object) => {
    const listed = await list({ server, sessionId, ...options })
    if (listed.status !== 'listed') throw new Error(listed.reason)
    return listed
  }
  const first = await page({ limit: 2 })
  const rest = await page({ limit: 2, cursor: first.next })
  const questions = [...first.questions, ...rest.questions]
  expect(questions.map(({ id }) => id)).toEqual(ids)
  expect(rest.next).toBeUndefined()
  await answer('Two?', 'yes', 'Now.')
  const ended = await page({ state: 'ended' })
  expect(ended.questions).toMatchObject([
    { question: 'Two?', status: 'answered', value: 'yes', note: 'Now.' },
  ])
  await expect(list({ server, cursor: 'no cursor' })).rejects.toMatchObject({ code: 'malformed' })
  await Promise.all(ids.map((id) => cancel(id, { server })))
})
