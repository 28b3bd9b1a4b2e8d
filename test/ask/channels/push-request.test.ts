import { expect, test } from 'bun:test'
import { createECDH } from 'node:crypto'
import { pushRequest, TEXT_BYTES_MAX } from '../../../src/ask/channels/web-push/channel.ts'
import { openPush } from '../../support/open-push.ts'
import { deviceKeys, shownKeys } from '../../support/push-server.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

function browser() {
  const own = deviceKeys()
  return { keys: shownKeys(own), read: (body: Uint8Array) => openPush(body, own) }
}

const USUAL = {
  authorization: 'vapid t=a.b.c, k=d',
  ttl: 60,
  urgency: 'high',
  topic: 'q_1',
} as const

async function encrypted(text: string, keys: { p256dh: string; auth: string }) {
  return (await pushRequest({ ...USUAL, text, keys })).body
}

test('the reader of these tests opens the example of RFC 8291', () => {
  const ua = createECDH('prime256v1')
  ua.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  const auth = bytes('BTBZMqHH6r4Tts7J_aSIgg')
  expect(openPush(body, { ua, auth })).toBe('When I grow up, I want to be a watermelon')
})

test('a browser reads texts of every length that one record holds, and longer ones are refused', async () => {
  const { keys, read } = browser()
  for (const text of ['a', '👩‍👩‍👧 größer', 'x'.repeat(3_000), 'y'.repeat(TEXT_BYTES_MAX)]) {
    expect(read(await encrypted(text, keys))).toBe(text)
  }
  await expect(encrypted('y'.repeat(TEXT_BYTES_MAX + 1), keys)).rejects.toThrow('too long')
  await expect(encrypted('ü'.repeat(TEXT_BYTES_MAX / 2 + 1), keys)).rejects.toThrow('too long')
})

test('no two messages share a key or a salt', async () => {
  const { keys } = browser()
  const bodies: Buffer[] = []
  for (let i = 0; i < 20; i++) bodies.push(Buffer.from(await encrypted('the same', keys)))
  expect(new Set(bodies.map((body) => body.toString('hex', 0, 16))).size).toBe(20)
  expect(new Set(bodies.map((body) => body.toString('hex', 21, 86))).size).toBe(20)
  expect(new Set(bodies.map((body) => body.toString('hex', 86))).size).toBe(20)
})

test('nobody but the browser reads it, and nothing in it can be changed', async () => {
  const { keys, read } = browser()
  const body = await encrypted('secret', keys)
  expect(() => browser().read(body)).toThrow()
  for (const place of [0, 30, 90, body.length - 1]) {
    const changed = Uint8Array.from(body)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => read(changed)).toThrow()
  }
})

test('the headers are those of RFC 8030, and ours alone', async () => {
  const { keys } = browser()
  const { headers } = await pushRequest({ ...USUAL, text: 'a', keys })
  expect(headers).toEqual({
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
    TTL: '60',
    Topic: 'q_1',
    Urgency: 'high',
    Authorization: 'vapid t=a.b.c, k=d',
  })
})

test('keys that are not valid are refused', async () => {
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
  for (const one of wrong) await expect(encrypted('text', one)).rejects.toThrow()
})
