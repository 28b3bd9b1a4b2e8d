import { expect, test } from 'bun:test'
import { Failure } from '../../../src/platform/failure.ts'
import { clientAddress } from '../../../src/platform/http/client-address.ts'
import { createBucket, createLimits, RATES } from '../../../src/platform/http/limits.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const RATE = { burst: 3, perMinute: 6, sentence: 'Too many.' }

function outcome(take: () => void): number | undefined {
  try {
    take()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return (error as Failure).retryAfter
  }
}

test('a bucket lets a burst pass, then says when the next one fits', async () => {
  const clock = fakeClock()
  const bucket = createBucket(clock, RATE)
  const take = (key: string) => outcome(() => bucket.take(key))
  expect([take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined])
  expect(take('a')).toBe(10)
  expect(take('b')).toBeUndefined()
  await clock.advance(10_000)
  expect(take('a')).toBeUndefined()
  expect(take('a')).toBe(10)
})

test('a refused attempt costs nothing, and a bucket never holds more than its burst', async () => {
  const clock = fakeClock()
  const bucket = createBucket(clock, RATE)
  const take = () => outcome(() => bucket.take('a'))
  for (let i = 0; i < 50; i++) take()
  await clock.advance(3_600_000)
  expect([take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, 10])
})

function from(forwarded: string | undefined, peer: string, trustProxy: boolean) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddress(new Request('http://localhost/', { headers }), peer, trustProxy)
}

test('the address is the peer unless a proxy is trusted', () => {
  expect(from('203.0.113.9', '127.0.0.1', false)).toBe('127.0.0.1')
  expect(from('203.0.113.9', '127.0.0.1', true)).toBe('203.0.113.9')
  expect(from(undefined, '::ffff:10.0.0.7', true)).toBe('10.0.0.7')
})

test('only the last entry is the proxy’s own word, and nonsense is not an address', () => {
  expect(from('6.6.6.6, 203.0.113.9', '127.0.0.1', true)).toBe('203.0.113.9')
  expect(from('6.6.6.6, <script>', '127.0.0.1', true)).toBe('127.0.0.1')
})

test('the addresses of one IPv6 network are one guesser, those of another are not', () => {
  const { signIn } = createLimits(fakeClock())
  for (let i = 0; i < RATES.signIn.burst; i++) signIn.take(`2001:db8::${i + 1}`)
  expect(() => signIn.take('2001:db8::ffff')).toThrow('Too many attempts')
  signIn.take('2001:db8:0:1::1')
  signIn.take('192.0.2.1')
})
