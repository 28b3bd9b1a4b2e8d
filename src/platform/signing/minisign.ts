import { createHash } from 'node:crypto'
import { decodeBase64, isSignature, type PrivateJwk, type PublicJwk, signBytes } from './ed25519.ts'

// https://jedisct1.github.io/minisign/#signature-format: an algorithm, a key id, then the key or signature.
const ALGORITHM = 2
const KEY_ID = 8
const HEADER = ALGORITHM + KEY_ID
const SEED = 32
const PUBLIC_KEY = HEADER + 32
const SIGNATURE = HEADER + 64
// A secret key file: Ed, two letters for how it is encrypted, B2, salt and limits of scrypt.
const SECRET_HEADER = 2 + 2 + 2 + 32 + 8 + 8
const CHECKSUM = 32
const SECRET_KEY = SECRET_HEADER + KEY_ID + SEED + 32 + CHECKSUM
const TRUSTED = 'trusted comment: '

/** A public key of minisign. */
export type MinisignKey = { id: Buffer; jwk: PublicJwk }

/** A key that signs releases, and its public half as minisign writes it. */
export type MinisignSecretKey = { id: Buffer; jwk: PrivateJwk; publicKey: string }

/** Reads a minisign public key, with or without its comment; undefined if it is not one. */
export function readPublicKey(text: string): MinisignKey | undefined {
  const bytes = decoded(lastLine(text), PUBLIC_KEY, 'Ed')
  return bytes && { id: bytes.subarray(ALGORITHM, HEADER), jwk: jwkOf(bytes.subarray(HEADER)) }
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
  if (!bytes?.subarray(ALGORITHM, HEADER).equals(by.id)) return undefined
  if (!comment.startsWith(TRUSTED)) return undefined
  const trustedText = comment.slice(TRUSTED.length)
  const own = bytes.subarray(HEADER)
  const overAll = decoded(whole, 64)
  if (!overAll || !isSignature(by.jwk, prehash(content), own)) return undefined
  const covered = Buffer.concat([own, Buffer.from(trustedText)])
  return isSignature(by.jwk, covered, overAll) ? trustedText : undefined
}

/**
 * Reads the secret key file that `minisign -G -W` writes. Throws an `Error` with a sentence for
 * people if the text is not such a file, or if a password encrypts the key.
 */
export function readSecretKey(text: string): MinisignSecretKey {
  const bytes = decoded(lastLine(text), SECRET_KEY, 'Ed')
  if (!bytes) throw new Error('The release key is not a secret key of minisign.')
  if (bytes.readUInt16BE(2) !== 0) {
    throw new Error('The release key has a password; make one without: minisign -G -W')
  }
  const [id, seed, publicKey] = [
    bytes.subarray(SECRET_HEADER, SECRET_HEADER + KEY_ID),
    bytes.subarray(SECRET_HEADER + KEY_ID, SECRET_HEADER + KEY_ID + SEED),
    bytes.subarray(SECRET_HEADER + KEY_ID + SEED, SECRET_KEY - CHECKSUM),
  ]
  return {
    id,
    jwk: { ...jwkOf(publicKey), d: seed.toString('base64url') },
    publicKey: Buffer.concat([Buffer.from('Ed'), id, publicKey]).toString('base64'),
  }
}

/** The text of a `.minisig` file. Ed25519 draws nothing: the same content gives the same text. */
export function signatureOf(content: Uint8Array, key: MinisignSecretKey, comment: string): string {
  return signHash(prehash(content), key, comment, 'signature of a release of Beckon')
}

/** The same for content whose BLAKE2b hash is known; `remark` is not signed. */
export function signHash(
  hash: Uint8Array,
  { id, jwk }: Pick<MinisignSecretKey, 'id' | 'jwk'>,
  comment: string,
  remark: string,
): string {
  const own = signBytes(jwk, hash)
  const overAll = signBytes(jwk, Buffer.concat([own, Buffer.from(comment)]))
  return [
    `untrusted comment: ${remark}`,
    Buffer.concat([Buffer.from('ED'), id, own]).toString('base64'),
    `${TRUSTED}${comment}`,
    overAll.toString('base64'),
    '',
  ].join('\n')
}

/** The text of a public key file. */
export function publicKeyFile({ id, jwk }: MinisignKey, remark: string): string {
  const key = Buffer.concat([Buffer.from('Ed'), id, Buffer.from(jwk.x, 'base64url')])
  return `untrusted comment: ${remark}\n${key.toString('base64')}\n`
}

function jwkOf(publicKey: Buffer): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
}

function prehash(content: Uint8Array): Buffer {
  return createHash('blake2b512').update(content).digest()
}

function lastLine(text: string): string | undefined {
  return text.trim().split(/\r?\n/).at(-1)
}

/** Base64 of exactly `length` bytes that begin with `start`. */
function decoded(text = '', length: number, start = ''): Buffer | undefined {
  const bytes = decodeBase64(text, length)
  return bytes?.toString('latin1').startsWith(start) ? bytes : undefined
}
