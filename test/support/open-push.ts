import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

const SALT = 16
const TAG = 16
const POINT = 65

/**
 * What a browser reads in a push: RFC 8291, one record of RFC 8188. Throws for anything else.
 * Written from the RFCs, so that it shares no code with the library that encrypts.
 */
export function openPush(body: Uint8Array, { ua, auth }: { ua: ECDH; auth: Uint8Array }): string {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, SALT)
  const recordSize = bytes.readUInt32BE(SALT)
  const keyLength = bytes.readUInt8(SALT + 4)
  if (keyLength !== POINT) throw new Error(`a key of ${keyLength} bytes`)
  const sender = bytes.subarray(SALT + 5, SALT + 5 + POINT)
  const record = bytes.subarray(SALT + 5 + POINT)
  if (record.length > recordSize) throw new Error('more than one record')
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ua.getPublicKey(), sender])
  const secret = derived(ua.computeSecret(sender), auth, keyInfo, 32)
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-TAG))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record does not say that it is the last')
  return new TextDecoder('utf-8', { fatal: true }).decode(padded.subarray(0, end))
}

function derived(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
