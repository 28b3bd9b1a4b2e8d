import { expect, test } from 'bun:test'
import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import webPush from 'web-push'
import { encrypt } from '../../src/delivery/web-push/encrypt.ts'

const ece = createRequire(import.meta.url)('http_ece')

const bytes = (text: string) => Buffer.from(text, 'base64url')

function browser() {
  const pair = createECDH('prime256v1')
  const auth = randomBytes(16).toString('base64url')
  const keys = { p256dh: pair.generateKeys('base64url'), auth }
  const read = (body: Uint8Array): string =>
    ece
      .decrypt(Buffer.from(body), { version: 'aes128gcm', privateKey: pair, authSecret: auth })
      .toString()
  return { keys, read }
}

test('the example of RFC 8291 comes out byte for byte', () => {
  const d = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d, 'base64url')
  const keys = {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const once = { pair, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') }
  const body = encrypt('When I grow up, I want to be a watermelon', keys, once)
  expect(Buffer.from(body).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('another implementation reads texts of every length that one record holds', () => {
  const { keys, read } = browser()
  for (const text of ['', 'a', '👩‍👩‍👧 größer', 'x'.repeat(3_000), 'y'.repeat(4_079)]) {
    expect(read(encrypt(text, keys))).toBe(text)
  }
  expect(() => encrypt('y'.repeat(4_080), keys)).toThrow('too long')
  expect(() => encrypt('ü'.repeat(2_040), keys)).toThrow('too long')
})

test('no two messages share a key or a salt', () => {
  const { keys } = browser()
  const sent = Array.from({ length: 20 }, () => Buffer.from(encrypt('the same', keys)))
  expect(new Set(sent.map((body) => body.toString('hex', 0, 16))).size).toBe(20)
  expect(new Set(sent.map((body) => body.toString('hex', 21, 86))).size).toBe(20)
  expect(new Set(sent.map((body) => body.toString('hex', 86))).size).toBe(20)
})

test('nobody but the browser reads it, and nothing in it can be changed', () => {
  const { keys, read } = browser()
  const body = encrypt('secret', keys)
  expect(() => browser().read(body)).toThrow()
  for (const place of [0, 30, 90, body.length - 1]) {
    const changed = Uint8Array.from(body)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => read(changed)).toThrow()
  }
})

test('keys that are none are refused, as `web-push` does', () => {
  const { keys } = browser()
  const point = bytes(keys.p256dh)
  const moved = Buffer.from(point)
  moved[64] = (moved[64] ?? 0) ^ 1
  const compressed = Buffer.concat([Buffer.from([2]), point.subarray(1, 33)])
  const wrong = [
    { ...keys, p256dh: '' },
    { ...keys, p256dh: 'not a key' },
    { ...keys, p256dh: point.toString('base64url', 0, 64) },
    { ...keys, p256dh: Buffer.concat([point, Buffer.from([0])]).toString('base64url') },
    { ...keys, p256dh: moved.toString('base64url') },
    { ...keys, p256dh: compressed.toString('base64url') },
    { ...keys, p256dh: Buffer.alloc(65).toString('base64url') },
    { ...keys, p256dh: Buffer.alloc(65, 255).toString('base64url') },
    { ...keys, auth: '' },
    { ...keys, auth: bytes(keys.auth).toString('base64url', 0, 15) },
  ]
  for (const one of wrong) {
    expect(() => encrypt('text', one)).toThrow()
    expect(() => webPush.encrypt(one.p256dh, one.auth, 'text', 'aes128gcm')).toThrow()
  }
})
