import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { type EventHub, WATCHED_MAX, type Watcher } from '../../../src/ask/home/event-hub.ts'
import { eventStream } from '../../../src/ask/home/events.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import type { EmittingBus } from '../../../src/platform/db/change-bus.ts'
import { fakeClock, settle } from '../../support/fake-clock.ts'
import { aQuestion } from '../../support/question.ts'
import { type As, HOME, type RestWorld, restWorld } from './rest-world.ts'

// Whole processes and many requests on a busy machine.
setDefaultTimeout(60_000)

const ANN = { id: 'ann', workspaceId: 'ws_1' } as const

type Heard = { event: string; data: Record<string, unknown> }

/** Reads a stream of events, one at a time; of deliveries only when that is wanted. */
async function listen(world: RestWorld, as: As, wanted?: 'delivery.changed') {
  // The first use of a token is announced, too, so it comes before.
  for (const agent of ['agent', 'otherAgent'] as const)
    await world.call({ as: agent, path: '/api/v1/agent' })
  const response = await fetch(`${world.url}/api/v1/events`, { headers: world.headersOf(as) })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async next(): Promise<Heard | 'end'> {
      for (;;) {
        const [block, ...rest] = text.split('\n\n')
        if (block !== undefined && rest.length > 0) {
          text = rest.join('\n\n')
          const event = /^event: (.+)$/m.exec(block)?.[1]
          const data = /^data: (.+)$/m.exec(block)?.[1]
          const isWanted = event !== 'delivery.changed' || wanted === event
          if (event && data && isWanted) return { event, data: JSON.parse(data) }
          continue
        }
        const { done, value } = await reader.read()
        if (done) return 'end'
        text += decoder.decode(value, { stream: true })
      }
    },
    leave: () => reader.cancel(),
  }
}

const ask = (world: RestWorld, question: string) =>
  world.call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: { question, wait: false },
  })

test('a page hears of what a process did that died before it said so, once', async () => {
  await using world = await restWorld()
  const changes = world.db.changes as EmittingBus
  const own = await listen(world, 'member')
  changes.look()
  await settle()
  // Without `tx.emit`, as by a process that did not come to it.
  await world.db.write((tx) => insertQuestion(tx, aQuestion('lost', { workspaceId: HOME })))
  changes.look()
  expect(await own.next()).toEqual({ event: 'inbox.changed', data: {} })
  await settle()
  changes.look()
  await settle()
  await ask(world, 'Deploy?')
  expect(await own.next()).toMatchObject({ event: 'question.opened' })
  await own.leave()
})

test('the event stream reports the progress of a message, in its own workspace alone', async () => {
  await using world = await restWorld()
  const own = await listen(world, 'member', 'delivery.changed')
  const other = await listen(world, 'otherMember', 'delivery.changed')
  await ask(world, 'Deploy?')
  let heard = await own.next()
  while (heard !== 'end' && heard.event !== 'delivery.changed') heard = await own.next()
  expect(heard).toEqual({ event: 'delivery.changed', data: {} })
  await world.call({
    ...{ as: 'otherAgent', method: 'POST', path: '/api/v1/notifications' },
    body: { title: 'Theirs', body: 'b' },
  })
  expect(await other.next()).toMatchObject({ event: 'notification.sent' })
  await Promise.all([own.leave(), other.leave()])
})

test('what happens arrives on another connection, in order', async () => {
  await using world = await restWorld()
  const events = await listen(world, 'member')
  const { correlationId } = (await ask(world, 'Deploy?')).body as { correlationId: string }
  expect(await events.next()).toMatchObject({
    event: 'question.opened',
    data: { correlationId, question: 'Deploy?', status: 'pending' },
  })
  const path = `/api/v1/questions/${correlationId}/answer`
  await world.call({ as: 'member', method: 'POST', path, body: { value: 'yes' } })
  expect(await events.next()).toMatchObject({
    event: 'question.ended',
    data: { correlationId, status: 'answered', value: 'yes' },
  })
  const body = { title: 'Line\nbreak', body: 'Two\n\nevent: question.opened' }
  await world.call({ as: 'agent', method: 'POST', path: '/api/v1/notifications', body })
  expect(await events.next()).toMatchObject({
    event: 'notification.sent',
    data: { body: 'Two\n\nevent: question.opened' },
  })
  await events.leave()
})

test('HEAD says what a stream would be, at once, and watches nothing', async () => {
  await using world = await restWorld()
  for (const path of ['/api/v1/events', '/api/v1/events/']) {
    const head = (as: As) =>
      fetch(world.url + path, { method: 'HEAD', headers: world.headersOf(as) })
    const response = await head('member')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await response.text()).toBe('')
    expect((await head('nobody')).status).toBe(401)
  }
  expect(world.deps.events.watching()).toBe(0)
})

test('another workspace hears nothing of it', async () => {
  await using world = await restWorld()
  const events = await listen(world, 'otherMember')
  await ask(world, 'Secret?')
  await world.call({
    as: 'otherAgent',
    method: 'POST',
    path: '/api/v1/notifications',
    body: { title: 'Own', body: 'news' },
  })
  expect(await events.next()).toMatchObject({ event: 'notification.sent', data: { title: 'Own' } })
  await events.leave()
})

test('who leaves is forgotten', async () => {
  await using world = await restWorld()
  const events = await listen(world, 'member')
  expect(world.deps.events.watching()).toBe(1)
  await events.leave()
  while (world.deps.events.watching() > 0) await Bun.sleep(1)
})

test('the stream ends cleanly when the server closes', async () => {
  const world = await restWorld()
  const events = await listen(world, 'member')
  const closed = world[Symbol.asyncDispose]()
  expect(await events.next()).toBe('end')
  await closed
})

test('a reader that does not read is let go instead of filling the memory', async () => {
  await using world = await restWorld()
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const { cookie } = world.headersOf('member')
  socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${cookie}\r\n\r\n`)
  socket.pause()
  while (world.deps.events.watching() === 0) await Bun.sleep(1)
  const body = {
    title: 'Long',
    body: 'y'.repeat(500),
    context: { type: 'info', summary: 'x'.repeat(100_000) },
  }
  for (let count = 0; count < 600 && world.deps.events.watching() > 0; count++) {
    await world.call({ as: 'tester', method: 'POST', path: '/api/v1/notifications', body })
  }
  expect(world.deps.events.watching()).toBe(0)
  socket.destroy()
})

test('of one person only so many are open: the first is ended for the one too many', async () => {
  await using world = await restWorld()
  const first = await listen(world, 'member')
  const other = await listen(world, 'otherMember')
  const more = []
  for (let n = 1; n < WATCHED_MAX; n++) more.push(await listen(world, 'member'))
  const { events } = world.deps
  expect(events.watching()).toBe(WATCHED_MAX + 1)
  const last = await listen(world, 'member')
  expect(await first.next()).toBe('end')
  expect(events.watching()).toBe(WATCHED_MAX + 1)
  await ask(world, 'Still there?')
  expect(await last.next()).toMatchObject({ event: 'question.opened' })
  expect(await more[0]?.next()).toMatchObject({ event: 'question.opened' })
  for (const one of [other, last, ...more]) await one.leave()
})

test('what happens together is written once, and is the same bytes for everybody', async () => {
  await using world = await restWorld()
  const { events } = world.deps
  const [own, others]: [Uint8Array[], Uint8Array[]] = [[], []]
  const ignore = () => {}
  const leave = [
    events.watch(
      { id: 'ann', workspaceId: HOME },
      { tell: (e) => own.push(e), signInEnded: ignore, end: ignore },
    ),
    events.watch(
      { id: 'bob', workspaceId: HOME },
      { tell: (e) => others.push(e), signInEnded: ignore, end: ignore },
    ),
  ]
  const many = Array.from({ length: 40 }, (_, n) => `Question ${n}?`)
  await Promise.all(many.map((question) => ask(world, question)))
  const readStream = () => own.map((bytes) => new TextDecoder().decode(bytes)).join('')
  while (readStream().split('event: question.opened\n').length <= many.length) await Bun.sleep(1)
  for (const question of many) expect(readStream()).toContain(question)
  expect(own.length).toBeLessThan(many.length)
  expect(others.every((bytes, n) => bytes === own[n])).toBe(true)
  for (const one of leave) one()
})

function watched() {
  const watchers = new Set<Watcher>()
  const events: EventHub = {
    watch(_, watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    changedSince: () => false,
    watching: () => watchers.size,
  }
  return { events, watchers }
}

const signedIn = async () => true

test('whoever signs out hears no more, and a look that fails ends nothing', async () => {
  const clock = fakeClock()
  const { events, watchers } = watched()
  let isIn = async (): Promise<boolean> => {
    throw new Error('the disk is full')
  }
  const response = eventStream({ events, clock }, ANN, [], () => isIn())
  const text = response.text()
  await clock.advance(60_000)
  expect(watchers.size).toBe(1)
  isIn = async () => false
  await clock.advance(15_000)
  await text
  expect([watchers.size, clock.pending()]).toEqual([0, 0])
})

test('a sign-in that is gone ends its own stream alone', async () => {
  await using world = await restWorld()
  const clock = fakeClock()
  Object.assign(world.deps, { clock })
  const gone = await listen(world, 'member')
  const other = await listen(world, 'otherMember')
  await world.db.write((tx) => tx.delete(session).where(eq(session.userId, 'ann')))
  await clock.advance(15_000)
  expect(await gone.next()).toBe('end')
  expect(world.deps.events.watching()).toBe(1)
  await other.leave()
})

test('a quiet stream says something now and then, and ends after half an hour', async () => {
  const clock = fakeClock()
  const { events, watchers } = watched()
  const never = new AbortController().signal
  const text = eventStream({ events, clock }, ANN, [never], signedIn).text()
  await clock.advance(29 * 60_000)
  expect(watchers.size).toBe(1)
  await clock.advance(60_000)
  expect((await text).split(':\n\n').length).toBeGreaterThan(100)
  expect([watchers.size, clock.pending()]).toEqual([0, 0])
})

test('when rings may have been lost the stream ends, so that the reader looks again', async () => {
  const { events, watchers } = watched()
  const response = eventStream({ events, clock: fakeClock() }, ANN, [], signedIn)
  await settle()
  for (const watcher of watchers) watcher.end()
  expect(await response.text()).toStartWith('retry: 2000\n')
})
