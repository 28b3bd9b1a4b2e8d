import { expect, test } from 'bun:test'
import { createWaiters } from '../../../src/ask/waiting/waiters.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { createChangeBus } from '../../../src/platform/db/change-bus.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function room() {
  const clock = fakeClock()
  const changes = createChangeBus()
  return { clock, changes, waiters: createWaiters(changes, clock) }
}

test('a ring between sitting down and looking is not lost', async () => {
  const { changes, clock, waiters } = room()
  using waiter = waiters.add('q_1', clock.now() + 1000, new AbortController().signal)
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await waiter.next()).toBe('changed')
})

test('each ring wakes once, the end stays the end', async () => {
  const { changes, clock, waiters } = room()
  using waiter = waiters.add('q_1', clock.now() + 1000, new AbortController().signal)
  const first = waiter.next()
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await first).toBe('changed')
  const second = waiter.next()
  await clock.advance(1000)
  expect(await second).toBe('timeout')
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await waiter.next()).toBe('timeout')
})

test('hanging up, a gap and closing each wake whoever sits', async () => {
  const { changes, clock, waiters } = room()
  const line = new AbortController()
  using hungUp = waiters.add('q_1', clock.now() + 1000, line.signal)
  line.abort()
  expect(await hungUp.next()).toBe('hung_up')
  using stays = waiters.add('q_2', clock.now() + 1000, new AbortController().signal)
  changes.missed()
  expect(await stays.next()).toBe('changed')
  waiters.close()
  expect(await stays.next()).toBe('closing')
  using late = waiters.add('q_3', clock.now() + 1000, new AbortController().signal)
  expect(await late.next()).toBe('closing')
})

test('a look wakes those alone whose question has ended, and one question is asked for all', async () => {
  const clock = fakeClock()
  const changes = createChangeBus()
  const batches: QuestionId[][] = []
  let answer = async (): Promise<QuestionId[]> => ['q_2']
  const endedAmong = (ids: readonly QuestionId[]) => {
    batches.push([...ids])
    return answer()
  }
  const waiters = createWaiters(changes, clock, { endedAmong })
  changes.look()
  expect(batches).toEqual([])
  const line = () => new AbortController().signal
  using one = waiters.add('q_1', clock.now() + 1000, line())
  using two = waiters.add('q_2', clock.now() + 1000, line())
  using too = waiters.add('q_2', clock.now() + 1000, line())
  for (const again of [changes.look, changes.missed]) {
    again()
    expect([await two.next(), await too.next()]).toEqual(['changed', 'changed'])
  }
  expect(batches).toEqual([
    ['q_1', 'q_2'],
    ['q_1', 'q_2'],
  ])
  answer = async () => {
    throw new Error('the database is away')
  }
  changes.look()
  await Bun.sleep(0)
  await clock.advance(1000)
  expect(await one.next()).toBe('timeout')
})

test('the room and its timers are empty when everyone has left', () => {
  const { clock, waiters } = room()
  {
    using _a = waiters.add('q_1', clock.now() + 1000, new AbortController().signal)
    using _b = waiters.add('q_1', clock.now() + 1000, new AbortController().signal)
    expect(waiters.count()).toBe(2)
  }
  expect(waiters.count()).toBe(0)
  expect(clock.pending()).toBe(0)
})

test.each([0, 1, 2])(
  'of three waits for one question, the others go on when wait %i leaves',
  async (left) => {
    const { changes, clock, waiters } = room()
    const add = () => waiters.add('q_1', clock.now() + 1000, new AbortController().signal)
    const three = [add(), add(), add()]
    three[left]?.[Symbol.dispose]()
    const others = three.filter((_, index) => index !== left)
    const woken = Promise.all(others.map((waiter) => waiter.next()))
    changes.emit([{ topic: 'question', id: 'q_1' }])
    expect(await woken).toEqual(['changed', 'changed'])
    const ended = Promise.all(others.map((waiter) => waiter.next()))
    await clock.advance(1000)
    expect(await ended).toEqual(['timeout', 'timeout'])
    for (const waiter of others) waiter[Symbol.dispose]()
    expect(waiters.count()).toBe(0)
  },
)

test('one timer serves all waits, and each ends at its own instant', async () => {
  const { clock, waiters } = room()
  const { signal } = new AbortController()
  const ended: number[] = []
  const now = clock.now()
  const waits = [300, 100, 200, 100, 400].map((ms) => {
    const waiter = waiters.add('q_1', now + ms, signal)
    void waiter.next().then(() => ended.push(ms))
    return waiter
  })
  expect(clock.pending()).toBe(1)
  waits[4]?.[Symbol.dispose]()
  await clock.advance(99)
  expect(ended).toEqual([])
  await clock.advance(1)
  expect(ended).toEqual([100, 100])
  await clock.advance(300)
  expect(ended).toEqual([100, 100, 200, 300])
  expect(clock.pending()).toBe(0)
})

test('a clock that is set back lengthens no wait', async () => {
  const clock = fakeClock()
  let back = 0
  const moved = { ...clock, now: () => clock.now() - back }
  const waiters = createWaiters(createChangeBus(), moved)
  const { signal } = new AbortController()
  using first = waiters.add('q_1', moved.now() + 1_000, signal)
  using second = waiters.add('q_2', moved.now() + 3_000, signal)
  back = 3_600_000
  using later = waiters.add('q_3', moved.now() + 4_000, signal)
  const woken: string[] = []
  void first.next().then(() => woken.push('first'))
  void second.next().then(() => woken.push('second'))
  void later.next().then(() => woken.push('later'))
  await clock.advance(4_000)
  expect(woken.sort()).toEqual(['first', 'later', 'second'])
})

test('a clock that is set forward, or a machine that slept, lengthens no wait that begins then', async () => {
  const clock = fakeClock()
  let ahead = 0
  const moved = { ...clock, now: () => clock.now() + ahead }
  const waiters = createWaiters(createChangeBus(), moved)
  const { signal } = new AbortController()
  using long = waiters.add('q_1', moved.now() + 600_000, signal)
  ahead = 3_600_000
  using short = waiters.add('q_2', moved.now() + 1_000, signal)
  const woken: string[] = []
  void long.next().then((why) => woken.push(`long ${why}`))
  void short.next().then((why) => woken.push(`short ${why}`))
  await clock.advance(1_000)
  expect(woken).toEqual(['long timeout', 'short timeout'])
})

test('garbage is collected while waits grow in number, not while they come and go', () => {
  const clock = fakeClock()
  let collections = 0
  const waiters = createWaiters(createChangeBus(), clock, { collect: () => collections++ })
  const { signal } = new AbortController()
  const wait = () => waiters.add('q_1', clock.now() + 1_000, signal)
  const many = Array.from({ length: 1_000 }, wait)
  expect(collections).toBe(4)
  for (let i = 0; i < 1_000; i++) wait()[Symbol.dispose]()
  expect(collections).toBe(4)
  for (const waiter of many) waiter[Symbol.dispose]()
  for (let i = 0; i < 500; i++) wait()
  expect(collections).toBe(5)
})
