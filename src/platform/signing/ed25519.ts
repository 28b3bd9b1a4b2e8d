import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { canonicalBytes } from './canonical.ts'

/** A public Ed25519 key, and the thumbprint (RFC 7638) that names it. */
export type VerifyKey = { kid: string; key: KeyObject }

/** With its private part. */
export type SignKey = VerifyKey & { privateKey: KeyObject }

/** A public Ed25519 key in JSON (RFC 8037). */
export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string }
/** With its private part; never leaves the settings or its owner's file. */
export type PrivateJwk = PublicJwk & { d: string }

/** A new private key, as PEM (PKCS #8). */
export function makePrivatePem(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A new private key in JSON. */
export function makePrivateJwk(): { kid: string; jwk: PrivateJwk } {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const jwk: PrivateJwk = { kty: 'OKP', crv: 'Ed25519', x, d }
  return { kid: thumbprint(jwk), jwk }
}

/** Reads a private key in JSON; undefined if it is not one of Ed25519 whose two parts belong together. */
export function readPrivateJwk(json: unknown): { kid: string; jwk: PrivateJwk } | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { kty, crv, x, d } = json as Partial<PrivateJwk>
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || typeof d !== 'string')
    return undefined
  const jwk = { kty, crv, x, d }
  try {
    const probe = Buffer.from('probe')
    return isSignature(jwk, probe, signBytes(jwk, probe))
      ? { kid: thumbprint(jwk), jwk }
      : undefined
  } catch {
    return undefined
  }
}

/** Throws if the PEM is not a private Ed25519 key. */
export function readPrivatePem(pem: string): SignKey {
  const privateKey = createPrivateKey(pem)
  const key = createPublicKey(privateKey)
  return { kid: thumbprint(key.export({ format: 'jwk' })), key, privateKey }
}

const PUBLIC_PEM = /^\s*-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----\s*$/

/** Reads a public key in PEM; undefined if it is not one of Ed25519. */
export function readPublicPem(pem: string): VerifyKey | undefined {
  // A private key would be accepted as well, as its public key.
  if (!PUBLIC_PEM.test(pem)) return undefined
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType !== 'ed25519') return undefined
    return { kid: thumbprint(key.export({ format: 'jwk' })), key }
  } catch {
    return undefined
  }
}

/** The public key as PEM (SubjectPublicKeyInfo), which openssl reads. */
export function publicPem({ key }: VerifyKey): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

/** The public part alone. */
export function publicJwk({ kty, crv, x }: PublicJwk): PublicJwk {
  return { kty, crv, x }
}

/** SHA-256 thumbprint of the public part (RFC 7638). */
export function thumbprint({ kty, crv, x }: JsonWebKey): string {
  return createHash('sha256').update(canonicalBytes({ crv, kty, x })).digest('base64url')
}

/** Throws if the key has no 32 bytes. */
export function signBytes(key: KeyObject | PrivateJwk, bytes: Uint8Array): Buffer {
  return sign(null, bytes, 'd' in key ? createPrivateKey({ key, format: 'jwk' }) : key)
}

/** Whether `signature` is a valid signature of `bytes`. Throws if the key has no 32 bytes. */
export function isSignature(
  key: KeyObject | PublicJwk,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const publicKey = 'x' in key ? createPublicKey({ key: publicJwk(key), format: 'jwk' }) : key
  return verify(null, bytes, publicKey, signature)
}

/** The signature in base64. */
export function signText({ privateKey }: SignKey, text: string): string {
  return signBytes(privateKey, Buffer.from(text)).toString('base64')
}

/** Whether `signature` (base64, nothing else) is a valid signature of `text`. Never throws. */
export function isSignedBy({ key }: VerifyKey, text: string, signature: string): boolean {
  const bytes = decodeBase64(signature, 64)
  return bytes !== undefined && isSignature(key, Buffer.from(text), bytes)
}

/** Decodes base64 of exactly `length` bytes; undefined if there is anything else in the text. */
export function decodeBase64(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}
