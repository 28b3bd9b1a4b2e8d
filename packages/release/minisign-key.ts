import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'

// The layout of a secret key file: Ed, two letters for how it is encrypted, B2, salt and limits of scrypt.
const HEAD = 2 + 2 + 2 + 32 + 8 + 8
const KEY_ID = 8
const SEED = 32
const CHECKSUM = 32
const LENGTH = HEAD + KEY_ID + SEED + 32 + CHECKSUM
// The bytes before the 32 bytes of an Ed25519 seed in its PrivateKeyInfo (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A key that signs releases, and the public half as minisign writes it. */
export type SigningKey = { id: Buffer; key: KeyObject; publicKey: string }

/**
 * Reads the secret key file that `minisign -G -W` writes. Throws an `Error` with a sentence for the
 * reader when it is none, or is encrypted with a password.
 */
export function readSigningKey(text: string): SigningKey {
  const bytes = Buffer.from(text.trim().split(/\r?\n/).at(-1) ?? '', 'base64')
  if (bytes.length !== LENGTH || bytes.toString('latin1', 0, 2) !== 'Ed') {
    throw new Error('The release key is not a secret key of minisign.')
  }
  if (bytes.readUInt16BE(2) !== 0) {
    throw new Error('The release key has a password; make one without: minisign -G -W')
  }
  const id = bytes.subarray(HEAD, HEAD + KEY_ID)
  const seed = bytes.subarray(HEAD + KEY_ID, HEAD + KEY_ID + SEED)
  const own = bytes.subarray(HEAD + KEY_ID + SEED, LENGTH - CHECKSUM)
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  return {
    id,
    key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    publicKey: Buffer.concat([Buffer.from('Ed'), id, own]).toString('base64'),
  }
}

/** The text of a `.minisig` file. Ed25519 draws nothing: the same content gives the same text. */
export function signatureOf(content: Uint8Array, by: SigningKey, comment: string): string {
  const own = sign(null, createHash('blake2b512').update(content).digest(), by.key)
  const overAll = sign(null, Buffer.concat([own, Buffer.from(comment)]), by.key)
  const signed = Buffer.concat([Buffer.from('ED'), by.id, own])
  return [
    'untrusted comment: signature of a release of Beckon',
    signed.toString('base64'),
    `trusted comment: ${comment}`,
    overAll.toString('base64'),
    '',
  ].join('\n')
}
