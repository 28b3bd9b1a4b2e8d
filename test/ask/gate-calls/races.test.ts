import { expect, test } from 'bun:test'
import { readCall } from '../../../src/ask/gate-calls/call.ts'
import { Calls } from '../../../src/ask/gate-calls/calls.ts'
import type { Decider } from '../../../src/ask/gate-calls/decider.ts'
import { type Message, readMessages } from '../../../src/ask/gate-calls/message.ts'
import { fakeClock, settle } from '../../support/fake-clock.ts'

function messageOf(fields: object): Message {
  const reading = readMessages(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...fields })))
  if (reading.is !== 'one') throw new Error('not one message')
  return reading.message
}

/** Calls whose question is answered, and whose yes is used up, when the test says so. */
function world({ question = {}, ask = {}, end = {} } = {}) {
  const clock = fakeClock()
  const yes = Promise.withResolvers<void>()
  const permit = Promise.withResolvers<string>()
  const log: string[] = []
  const replies: string[] = []
  const decider = {
    decide: async () => ({
      ...{ is: 'ask', ...ask },
      question: { correlationId: 'q1', status: 'pending', ...question },
    }),
    wait: async (_: string, ms: number, signal: AbortSignal) => {
      const over = new Promise((resolve) => signal.addEventListener('abort', resolve))
      const late = new Promise<void>((resolve) => clock.after(ms, resolve))
      const answer = yes.promise.then(() => ({ status: 'answered', value: 'yes', ...end }))
      const value = await Promise.race([answer, over.then(() => ({})), late.then(() => ({}))])
      return { ok: true, value }
    },
    usePermit: () => permit.promise,
    withdraw: async (id: string) => void log.push(`withdrawn ${id}`),
    reportOutcome: async (_: string, outcome: string) => void log.push(`outcome ${outcome}`),
    recorded: async () => {},
  }
  const calls = new Calls({
    ...{ name: 'toy', clock, holdMsOf: () => 60_000 },
    ...{ decider: decider as unknown as Decider, answersForms: false },
    versionsOf: () => ({ listed: null, now: undefined }),
    ready: async () => true,
    isRunning: () => true,
    forward: ({ message }) => void log.push(`forwarded ${message.method}`),
    write(line) {
      log.push('answered')
      replies.push(String(line))
    },
    notify: () => void log.push('progress'),
  })
  const message = messageOf({
    ...{ id: 1, method: 'tools/call' },
    params: { name: 'echo', arguments: {} },
  })
  const call = readCall(message, `${message.text}\n`)
  if (call) calls.take(call)
  return {
    clock,
    calls,
    log,
    replies,
    yes,
    permit,
    cancel: () => {
      if (calls.cancel(1) !== undefined) log.push('forwarded notifications/cancelled')
    },
  }
}

test('a cancel before the yes withdraws the question, and a yes after it runs nothing', async () => {
  const { log, cancel, yes, permit } = world()
  await settle()
  cancel()
  yes.resolve()
  permit.resolve('p1')
  await settle()
  expect(log).toEqual(['withdrawn q1'])
})

test('a cancel while the yes is used up runs nothing, and that is recorded', async () => {
  const { log, cancel, yes, permit } = world()
  await settle()
  yes.resolve()
  await settle()
  cancel()
  permit.resolve('p1')
  await settle()
  expect(log).toEqual(['outcome not_run'])
})

test('a cancel after the call was passed on is passed on too', async () => {
  const { log, cancel, yes, permit } = world()
  await settle()
  yes.resolve()
  permit.resolve('p1')
  await settle()
  cancel()
  await settle()
  expect(log).toEqual(['forwarded tools/call', 'forwarded notifications/cancelled'])
})

test('a server that ends during a call leaves it not known whether it ran', async () => {
  const { log, calls, yes, permit } = world()
  await settle()
  yes.resolve()
  permit.resolve('p1')
  await settle()
  calls.onServerEnd([1])
  await settle()
  expect(log).toEqual(['forwarded tools/call', 'outcome not_known', 'answered'])
})

test('a client that goes while the yes is used up has run nothing', async () => {
  const { log, calls, yes, permit } = world()
  await settle()
  yes.resolve()
  await settle()
  calls.abort()
  permit.resolve('p1')
  await settle()
  expect(log).toEqual(['outcome not_run'])
})

test('at the end of the hold the call is refused and the question stays', async () => {
  const { log, clock } = world()
  await clock.advance(59_000)
  expect(log).toEqual([])
  await clock.advance(2_000)
  expect(log).toEqual(['answered'])
})

const WAITS = 'It waits for approval by 2 of engineers.'
test.each([
  ['stopped', { end: { status: 'stopped', value: undefined } }, false, 'wants you to stop'],
  [
    'withdrawn',
    { end: { status: 'cancelled', value: undefined } },
    false,
    'The same call asks again',
  ],
  ['declined', { end: { value: 'no', note: 'Not today.' } }, false, 'Not today.'],
  ['not decided', {}, true, WAITS],
  ['never to be decided', { question: { status: 'expired' } }, true, WAITS],
])(
  'of a question that certain people decide and that is %s the model reads that',
  async (_, how, waits, text) => {
    const onTimeout = { decision: 'deny', reason: WAITS, staysOpen: true }
    const { clock, replies, yes } = world({ ...how, ask: { onTimeout } })
    await settle()
    if (!waits) yes.resolve()
    await clock.advance(61_000)
    expect(replies).toHaveLength(1)
    expect(replies[0]).toContain(text)
    expect(replies[0]?.includes(WAITS)).toBe(waits)
  },
)
