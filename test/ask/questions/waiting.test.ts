import { expect, test } from 'bun:test'
import { createWaiting } from '../../../src/ask/questions/waiting.ts'
import { createChangeBus } from '../../../src/platform/db/change-bus.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function room() {
  const clock = fakeClock()
  const changes = createChangeBus()
  return { clock, changes, waiting: createWaiting(changes, clock) }
}

test('a ring between sitting down and looking is not lost', async () => {
  const { changes, clock, waiting } = room()
  using seat = waiting.sit('q_1', clock.now() + 1000, new AbortController().signal)
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await seat.next()).toBe('rung')
})

test('each ring wakes once, the end stays the end', async () => {
  const { changes, clock, waiting } = room()
  using seat = waiting.sit('q_1', clock.now() + 1000, new AbortController().signal)
  const first = seat.next()
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await first).toBe('rung')
  const second = seat.next()
  await clock.advance(1000)
  expect(await second).toBe('timeout')
  changes.emit([{ topic: 'question', id: 'q_1' }])
  expect(await seat.next()).toBe('timeout')
})

test('hanging up, a gap and closing each wake whoever sits', async () => {
  const { changes, clock, waiting } = room()
  const line = new AbortController()
  using hungUp = waiting.sit('q_1', clock.now() + 1000, line.signal)
  line.abort()
  expect(await hungUp.next()).toBe('hung_up')
  using stays = waiting.sit('q_2', clock.now() + 1000, new AbortController().signal)
  changes.missed()
  expect(await stays.next()).toBe('rung')
  waiting.close()
  expect(await stays.next()).toBe('closing')
  using late = waiting.sit('q_3', clock.now() + 1000, new AbortController().signal)
  expect(await late.next()).toBe('closing')
})

test('the room and its timers are empty when everyone has left', () => {
  const { clock, waiting } = room()
  {
    using _a = waiting.sit('q_1', clock.now() + 1000, new AbortController().signal)
    using _b = waiting.sit('q_1', clock.now() + 1000, new AbortController().signal)
    expect(waiting.occupied()).toBe(2)
  }
  expect(waiting.occupied()).toBe(0)
  expect(clock.pending()).toBe(0)
})

test('garbage is collected while the room fills, not while people come and go', () => {
  const clock = fakeClock()
  let collections = 0
  const waiting = createWaiting(createChangeBus(), clock, () => collections++)
  const { signal } = new AbortController()
  const sit = () => waiting.sit('q_1', clock.now() + 1_000, signal)
  const seats = Array.from({ length: 1_000 }, sit)
  expect(collections).toBe(4)
  for (let i = 0; i < 1_000; i++) sit()[Symbol.dispose]()
  expect(collections).toBe(4)
  for (const seat of seats) seat[Symbol.dispose]()
  for (let i = 0; i < 500; i++) sit()
  expect(collections).toBe(5)
})
