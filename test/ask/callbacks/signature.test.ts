import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { makeSecret } from '../../../src/ask/callbacks/model/secret-store.ts'
import { signatureHeaders } from '../../../src/ask/callbacks/post-sender.ts'

// The example of the Standard Webhooks specification and its libraries.
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_000,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('the published example has the published signature', () => {
  const headers = signatureHeaders([EXAMPLE.secret], EXAMPLE)
  expect(headers['webhook-signature']).toBe(EXAMPLE.signature)
  expect(headers['webhook-id']).toBe(EXAMPLE.id)
  expect(headers['webhook-timestamp']).toBe('1614265330')
})

test('X-Service-Signature is HMAC-SHA256 over the time, a dot and the body, as written down by hand', () => {
  const { 'X-Service-Signature': header } = signatureHeaders([EXAMPLE.secret], EXAMPLE)
  // printf '%s' '1614265330.{"test": 2432232314}' | openssl dgst -sha256 -hmac "$SECRET"
  const byHand = '2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964'
  expect(header).toBe(`t=1614265330,v1=${byHand}`)
})

test('with two secrets, a receiver with either of them is served', () => {
  const [old, fresh, stranger] = [makeSecret(), makeSecret(), makeSecret()]
  const at = Date.now()
  const body = '{"value":"Übung 🙂"}'
  const headers = signatureHeaders([fresh, old], { id: 'cb_1', at, body })
  for (const secret of [fresh, old]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual({ value: 'Übung 🙂' })
    const hex = createHmac('sha256', secret)
      .update(`${Math.floor(at / 1_000)}.${body}`)
      .digest('hex')
    expect(headers['X-Service-Signature']?.split(',')).toContain(`v1=${hex}`)
  }
  expect(() => new Webhook(stranger).verify(body, headers)).toThrow()
  expect(() => new Webhook(fresh).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(fresh).verify(body, { ...headers, 'webhook-id': 'cb_2' })).toThrow()
})

test('a secret is whsec_ and at least 24 random bytes', () => {
  const secrets = new Set(Array.from({ length: 100 }, makeSecret))
  expect(secrets.size).toBe(100)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(secret.slice(6), 'base64').length).toBe(32)
  }
})
