import { expect, test } from 'bun:test'
import { readCall } from '../../../src/ask/gate-calls/call.ts'
import { Calls } from '../../../src/ask/gate-calls/calls.ts'
import type { Decider, HoldEnd } from '../../../src/ask/gate-calls/decider.ts'
import { type Message, readMessages } from '../../../src/ask/gate-calls/message.ts'
import { fakeClock, settle } from '../../support/fake-clock.ts'

function messageOf(text: string): Message {
  const reading = readMessages(Buffer.from(text))
  if (reading.is !== 'one') throw new Error('not one message')
  return reading.message
}

const MORE = {
  resultType: 'input_required',
  inputRequests: {
    name: {
      method: 'elicitation/create',
      params: {
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  },
  requestState: 's',
}

/** One call that a person allowed, whose server asks for more; the test answers. */
async function world() {
  const clock = fakeClock()
  const answer = Promise.withResolvers<HoldEnd>()
  const log: string[] = []
  const requests: Message[] = []
  let isRunning = true
  const decider: Partial<Decider> = {
    decide: async () => ({
      is: 'ask',
      question: { correlationId: 'q1', status: 'answered', value: 'yes' } as never,
      onTimeout: undefined,
    }),
    usePermit: async () => 'p1',
    ask: async (_question, _call, _ms, signal) => {
      signal.addEventListener('abort', () => log.push('withdrawn'))
      return await answer.promise
    },
    reportOutcome: async (_, outcome) => void log.push(`outcome ${outcome}`),
    recorded: async () => {},
  }
  const calls = new Calls({
    ...{ name: 'toy', clock, holdMsOf: () => 60_000, answersForms: true },
    decider: decider as Decider,
    versionsOf: () => ({ listed: null, now: undefined }),
    ready: async () => true,
    isRunning: () => isRunning,
    forward: ({ message }) => void requests.push(message),
    write: (line) => void log.push(`answered ${JSON.parse(line).id}`),
    notify: () => {},
  })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const take = (id: string, more: object = {}) => {
    const params = { name: 'book', arguments: {}, _meta, ...more }
    const call = readCall(
      messageOf(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })),
      '',
    )
    if (call) calls.take(call)
  }
  take('c')
  await settle()
  const reply = (result: object) =>
    calls.takeAnswer(messageOf(JSON.stringify({ jsonrpc: '2.0', id: requests.at(-1)?.id, result })))
  expect(reply(MORE)).toBe(true)
  await settle()
  return {
    ...{ calls, log, requests, take, reply, answer: answer.resolve },
    end: () => {
      isRunning = false
    },
  }
}

test('while Beckon is away the server is answered with a cancel', async () => {
  const { answer, requests, reply, log } = await world()
  answer({ is: 'unheard', why: 'Beckon is away' })
  await settle()
  expect(requests).toHaveLength(2)
  expect(requests[1]?.text).toContain('"inputResponses":{"name":{"action":"cancel"}}')
  expect(reply({ resultType: 'complete', content: [] })).toBe(true)
  await settle()
  expect(log).toEqual(['answered c', 'outcome succeeded'])
})

test('an equal call that comes meanwhile shares the question and the result', async () => {
  const { answer, take, reply, log, requests } = await world()
  take('d')
  answer({ is: 'no', value: 'Decline', note: undefined })
  await settle()
  expect(requests).toHaveLength(2)
  reply({ resultType: 'complete', content: [] })
  await settle()
  expect(log).toEqual(['answered c', 'answered d', 'outcome succeeded'])
})

test('a client that cancels while a person is asked: nothing more is sent, and whether it ran is not known', async () => {
  const { answer, calls, log, requests } = await world()
  expect(calls.cancel('c')).toBeUndefined()
  answer({ is: 'no', value: 'Accept', note: undefined })
  await settle()
  expect(requests).toHaveLength(1)
  expect(log).toEqual(['withdrawn', 'outcome not_known'])
})

test('a server that ends while a person is asked leaves it not known whether the call ran', async () => {
  const { calls, log, end } = await world()
  end()
  calls.onServerEnd([])
  await settle()
  expect(log).toEqual(['withdrawn', 'outcome not_known', 'answered c'])
})

test('a gate that closes while a person is asked answers the call', async () => {
  const { calls, log } = await world()
  calls.release('closing')
  await settle()
  expect(log).toEqual(['withdrawn', 'outcome not_known', 'answered c'])
})
