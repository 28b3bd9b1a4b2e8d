import { expect, test } from 'bun:test'
import { createChangeBus, createTtlCache } from '../../../src/platform/db/change-bus.ts'
import { together } from '../../../src/platform/db/together.ts'
import { fakeClock } from '../../support/fake-clock.ts'

test('what failed first is thrown, and only when all have ended', async () => {
  const [slow, quick] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let isOver = false
  const both = together(slow.promise, quick.promise).finally(() => {
    isOver = true
  })
  both.catch(() => {})
  quick.reject(new Error('first'))
  await Bun.sleep(0)
  expect(isOver).toBe(false)
  slow.reject(new Error('because of the first'))
  await expect(both).rejects.toThrow('first')
  expect(await together(Promise.resolve(1), Promise.resolve('b'))).toEqual([1, 'b'])
})

test('a read that fails is read again by each who waited for it', async () => {
  const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let read = 0
  const next = () => reads[read++]?.promise ?? Promise.resolve('later')
  using cache = createTtlCache({ changes: createChangeBus(), clock: fakeClock() }, 'policy', next)
  const own = cache.of('ws')
  const waiting = cache.of('ws')
  reads[0]?.reject(new Error('its transaction failed'))
  reads[1]?.resolve('read')
  await expect(own).rejects.toThrow('its transaction failed')
  expect(await waiting).toBe('read')
  expect(await cache.of('ws')).toBe('later')
  expect(await cache.of('ws')).toBe('later')
  expect(read).toBe(3)
})
