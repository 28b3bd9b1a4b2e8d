import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

// https://jedisct1.github.io/minisign/#signature-format: an algorithm, a key id, then the key or signature.
const ALGORITHM = 2
const KEY_ID = 8
const PUBLIC_KEY = ALGORITHM + KEY_ID + 32
const SIGNATURE = ALGORITHM + KEY_ID + 64
// The bytes before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410).
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const TRUSTED = 'trusted comment: '

/** A public key of minisign. */
export type MinisignKey = { id: Buffer; key: KeyObject }

/** Reads a minisign public key, with or without its comment; undefined if it is not one. */
export function readPublicKey(text: string): MinisignKey | undefined {
  const bytes = decoded(text.trim().split(/\r?\n/).at(-1), PUBLIC_KEY, 'Ed')
  if (!bytes) return undefined
  const der = Buffer.concat([SPKI_PREFIX, bytes.subarray(ALGORITHM + KEY_ID)])
  return {
    id: bytes.subarray(ALGORITHM, ALGORITHM + KEY_ID),
    key: createPublicKey({ key: der, format: 'der', type: 'spki' }),
  }
}

/**
 * Checks a minisign signature of `content` (the text of a `.minisig` file, prehashed form only).
 * Returns the trusted comment, which the signature also covers; undefined if anything is wrong.
 */
export function verifiedComment(
  content: Uint8Array,
  signature: string,
  by: MinisignKey,
): string | undefined {
  const [, signed, comment = '', whole] = signature.split(/\r?\n/)
  const bytes = decoded(signed, SIGNATURE, 'ED')
  if (!bytes?.subarray(ALGORITHM, ALGORITHM + KEY_ID).equals(by.id)) return undefined
  if (!comment.startsWith(TRUSTED)) return undefined
  const trustedText = comment.slice(TRUSTED.length)
  const own = bytes.subarray(ALGORITHM + KEY_ID)
  const overAll = decoded(whole, 64)
  const hash = createHash('blake2b512').update(content).digest()
  if (!overAll || !verify(null, hash, by.key, own)) return undefined
  const covered = Buffer.concat([own, Buffer.from(trustedText)])
  return verify(null, covered, by.key, overAll) ? trustedText : undefined
}

/** Base64 of exactly `length` bytes that begin with `start`. */
function decoded(text: string | undefined, length: number, start = ''): Buffer | undefined {
  const bytes = Buffer.from(text ?? '', 'base64')
  const isWhole = bytes.length === length && bytes.toString('base64') === text
  return isWhole && bytes.toString('latin1').startsWith(start) ? bytes : undefined
}
