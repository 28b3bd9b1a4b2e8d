import { expect, test } from 'bun:test'
import { EventReply } from '../../../src/ask/mcp/exchange.ts'
import { Failure } from '../../../src/platform/failure.ts'
import { eventText } from '../../support/event-text.ts'

const TO = { id: 1, tokenId: 'key_1', token: 'p', arrivedAt: 0 } as const
const PROGRESS = { waitedMs: 0, totalMs: 30_000, message: 'Waiting' }

test('a clock that is set back is never told as progress', async () => {
  const reply = new EventReply(TO, 0, () => true)
  const events = eventText(new Response(new ReadableStream(reply)))
  reply.talk(PROGRESS, 5_000)
  reply.talk(PROGRESS, 5_000)
  reply.talk(PROGRESS, 1_000)
  reply.talk(PROGRESS, 6_000)
  reply.end('{}')
  await events.rest()
  const progress = events.messages().map(({ params }) => (params as { progress: number })?.progress)
  expect(progress).toEqual([5, 6, undefined] as number[])
})

test('a clock that is set back silences no stream', async () => {
  const HOUR = 3_600_000
  const reply = new EventReply({ ...TO, token: undefined }, HOUR, () => true)
  const events = eventText(new Response(new ReadableStream(reply)))
  for (let second = 0; second < 60; second++) reply.beat(second * 1_000)
  reply.end('{}')
  const comments = (await events.rest()).split(': \n\n').length - 1
  expect(comments).toBe(1 + Math.ceil(60 / 14))
})

test('before the tool has said anything, progress has no total', async () => {
  const reply = new EventReply(TO, 0, () => true)
  const events = eventText(new Response(new ReadableStream(reply)))
  reply.beat(10_000)
  reply.end('{}')
  await events.rest()
  expect(events.messages()[0]).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 10, message: 'Working' },
  })
})

test('a stream that broke is left, its call aborted, and nothing is thrown', () => {
  const left: EventReply[] = []
  const reply = new EventReply(TO, 0, (gone) => left.push(gone) === 1)
  const broken = {
    enqueue() {
      throw new TypeError('the stream is closed')
    },
    close() {},
  }
  reply.start(broken as unknown as ReadableStreamDefaultController<Uint8Array>)
  expect(left).toEqual([reply])
  expect(reply.aborted).toBe(true)
  reply.beat(60_000)
  reply.end('{}')
})

test('after the end nothing is written', async () => {
  let open = true
  const reply = new EventReply(TO, 0, () => {
    const was = open
    open = false
    return was
  })
  const events = eventText(new Response(new ReadableStream(reply)))
  reply.end('{"last":true}')
  reply.end('{"late":true}')
  reply.talk(PROGRESS, 1_000)
  expect(await events.rest()).toBe(': \n\nevent: message\ndata: {"last":true}\n\n')
})

test('a hang-up is told once to everybody who listens, and to nobody who stopped', () => {
  const reply = new EventReply(TO, 0, () => true)
  const calls: string[] = []
  const listener = (name: string) => ({ handleEvent: () => void calls.push(name) })
  const stopped = listener('stopped')
  for (const one of [listener('first'), stopped, listener('second')]) {
    reply.addEventListener('abort', one, { once: true })
  }
  reply.removeEventListener('abort', stopped)
  expect(reply.aborted).toBe(false)
  reply.cancel()
  reply.cancel()
  expect(reply.aborted).toBe(true)
  expect(calls).toEqual(['first', 'second'])
})

test('a call whose token is revoked is told as one that hung up', () => {
  const reply = new EventReply(TO, 0, () => true)
  let count = 0
  reply.addEventListener('abort', { handleEvent: () => void count++ }, { once: true })
  reply.cut(new Failure('unauthenticated', 'This token was revoked.'))
  expect([reply.aborted, count]).toEqual([true, 1])
})
