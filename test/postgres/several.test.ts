import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { callbacks } from '../../src/ask/callbacks/model/table.ts'
import { findQuestion, moveQuestion } from '../../src/ask/questions/model/store.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { RATES } from '../../src/platform/http/limits.ts'
import { callbackReceiver } from '../support/callback-receiver.ts'
import { cookieOf } from '../support/sign-in.ts'
import { TEST_POSTGRES, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { asAgent, asOwner, type House, lookAt, openHouse, type Reply } from './house.ts'

setDefaultTimeout(60_000)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe.skipIf(!TEST_POSTGRES)('four Beckon processes on one PostgreSQL, behind nginx', () => {
  let database: TestDatabase
  let house: House
  beforeAll(async () => {
    database = await testDatabase()
    house = await openHouse({ database: database.url, processes: 4 })
  })
  afterAll(async () => {
    await house?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })
  const at = (n: number) => house.beckons[n]?.url ?? ''

  /** Asks at process `n` and waits there; resolves when the question is open. */
  async function askAndWait(n: number, question: string): Promise<[QuestionId, Promise<Reply>]> {
    // A page at another process is why the call waits: there is no device.
    await lookAt(house, at((n + 1) % 4))
    const reply = asAgent(house, at(n), '/questions', { question, type: 'input', wait: true })
    let id: QuestionId | undefined
    reply.then(({ body }) => body.value ?? console.error('the call did not wait', body))
    await until(async () => {
      const rows = await house.db.read
        .select()
        .from(questions)
        .where(eq(questions.question, question))
      id = rows[0]?.id
      return id !== undefined
    })
    return [id as QuestionId, reply]
  }

  test('a wait at one ends when another takes the answer', async () => {
    const waits = await Promise.all([0, 1, 2, 3].map((n) => askAndWait(n, `Which way, ${n}?`)))
    for (const [n, [id]] of waits.entries()) {
      const answered = await asOwner(house, at((n + 2) % 4), `/questions/${id}/answer`, {
        value: `left ${n}`,
      })
      expect(answered.status).toBe(200)
    }
    const replies = await Promise.all(waits.map(([, reply]) => reply))
    expect(replies.map(({ body }) => body.value)).toEqual([0, 1, 2, 3].map((n) => `left ${n}`))
  })

  test('a wait ends too when nobody told of the answer', async () => {
    const [id, reply] = await askAndWait(0, 'Who dies before saying so?')
    // As a process that ends between its commit and NOTIFY.
    const ending = { value: 'me' }
    await house.db.write((tx) =>
      moveQuestion(tx, 'answer', house.owner.workspaceId, id, Date.now(), ending).then(() => {}),
    )
    expect((await reply).body).toMatchObject({ answered: true, value: 'me' })
  })

  test('a hundred callers with one key at all of them ask one question', async () => {
    const body = { question: 'Once?', requestId: 'the-key', wait: false }
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => asAgent(house, at(n % 4), '/questions', body)),
    )
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(replies.map((one) => one.body.correlationId)).size).toBe(1)
    const rows = await house.db.read.select().from(questions).where(eq(questions.question, 'Once?'))
    expect(rows).toHaveLength(1)
  })

  test('asks and answers of one token come at once, more than there are connections', async () => {
    const ask = (n: number) =>
      asAgent(house, at(n % 4), '/questions', { question: `Many ${n}?`, wait: false })
    const first = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)))
    const answers = first.map(({ body }, n) =>
      asOwner(house, at(n % 4), `/questions/${body.correlationId}/answer`, { value: 'yes' }),
    )
    const more = Array.from({ length: 100 }, (_, n) => ask(100 + n))
    const replies = await Promise.all([...answers, ...more])
    expect([...first, ...replies].filter(({ status }) => status !== 200)).toEqual([])
  })

  test('a page at one hears what another did', async () => {
    const headers = { cookie: house.cookie }
    const stream = await fetch(`${at(0)}/api/v1/events`, { headers })
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let heard = ''
    const [id, reply] = await askAndWait(1, 'Is it heard?')
    await asOwner(house, at(2), `/questions/${id}/answer`, { value: 'yes' })
    while (!/question\.opened[\s\S]*question\.ended/.test(heard)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended: ${heard}`)
      heard += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
    expect(heard).toContain(id)
    expect((await reply).body.value).toBe('yes')
  })

  test('a pairing begun at one ends at another, and its sign-in holds at a third', async () => {
    const response = await fetch(`${at(0)}/settings/pair`, {
      method: 'POST',
      headers: { ...FORM, cookie: house.cookie, origin: at(0) },
    })
    const [link = ''] = /\/pair\/[0-9a-z]{26}/.exec(await response.text()) ?? []
    const pair = (n: number) =>
      fetch(at(n) + link, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...FORM, origin: at(n) },
      })
    const both = await Promise.all([pair(1), pair(2)])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410])
    const paired = both.find(({ status }) => status === 303) as Response
    const cookie = cookieOf(paired.headers)
    const inbox = await fetch(`${at(3)}/inbox`, { headers: { cookie }, redirect: 'manual' })
    expect(inbox.status).toBe(200)
  })

  test('guesses at all of them share one limit', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const guess = (n: number) =>
      fetch(`${at(n % 4)}/pair/${String(n).padStart(26, '0')}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...FORM, ...from, origin: at(n % 4) },
      })
    const { burst } = RATES.signIn
    const tried = await Promise.all(Array.from({ length: 4 * burst }, (_, n) => guess(n)))
    const counted = tried.filter(({ status }) => status === 410).length
    // While they run, another may fit.
    expect(counted).toBeGreaterThanOrEqual(burst)
    expect(counted).toBeLessThan(2 * burst)
    expect(tried.filter(({ status }) => status === 429)).toHaveLength(4 * burst - counted)
  })

  test('what a process that died was sending is sent by another', async () => {
    await using receiver = await callbackReceiver()
    const callbackUrl = receiver.url('/hook', 'hang', { status: 204 })
    const body = { question: 'Who sends it?', type: 'input', wait: false, callbackUrl }
    const reply = await asAgent(house, at(3), '/questions', body)
    const id = String(reply.body.correlationId)
    await asOwner(house, at(3), `/questions/${id}/answer`, { value: 'another' })
    await until(() => receiver.received.length === 1)
    const [row] = await house.db.read.select().from(callbacks)
    const holder = row?.claimedBy
    expect(holder).not.toBeNull()
    // It is not known which one has it: all die.
    await Promise.all(house.beckons.map((one) => one.end('SIGKILL')))
    await house.restart(0)
    // Half a minute later, as their clocks have it.
    await house.db.write((tx) =>
      tx
        .update(callbacks)
        .set({ claimedUntil: 0 })
        .where(eq(callbacks.claimedBy, holder ?? '')),
    )
    await until(() => receiver.received.length === 2)
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first as string)
    await until(
      async () => (await house.db.read.select().from(callbacks))[0]?.state === 'delivered',
    )
    // Through the proxy nothing of this shows.
    const later = await asAgent(house, house.url, '/questions', {
      question: 'Still there?',
      wait: false,
    })
    expect(later.status).toBe(200)
    const question = await findQuestion(
      house.db.read,
      house.owner.workspaceId,
      later.body.correlationId as QuestionId,
    )
    expect(question?.question).toBe('Still there?')
  })
})
