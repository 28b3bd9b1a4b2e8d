import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { canonicalBytes } from './canonical-bytes.ts'

/** A public Ed25519 key, and the thumbprint (RFC 7638) that names it. */
export type VerifyKey = { kid: string; key: KeyObject }

/** With its private part. */
export type SignKey = VerifyKey & { privateKey: KeyObject }

/** A new private key, as PEM (PKCS #8). */
export function makePrivatePem(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Throws if the PEM is not a private Ed25519 key. */
export function readPrivatePem(pem: string): SignKey {
  const privateKey = createPrivateKey(pem)
  return { ...createVerifyKey(createPublicKey(privateKey)), privateKey }
}

const PUBLIC_PEM = /^\s*-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----\s*$/

/** Reads a public key in PEM; undefined if it is not one of Ed25519. */
export function readPublicPem(pem: string): VerifyKey | undefined {
  // A private key would be accepted as well, as its public key.
  if (!PUBLIC_PEM.test(pem)) return undefined
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? createVerifyKey(key) : undefined
  } catch {
    return undefined
  }
}

/** The public key as PEM (SubjectPublicKeyInfo), which openssl reads. */
export function publicPem({ key }: VerifyKey): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

/** The signature in base64. */
export function signText({ privateKey }: SignKey, text: string): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64')
}

/**
 * Returns true if `signature` (base64, nothing else) is a valid signature of `text`. Never throws.
 */
export function isSignedBy({ key }: VerifyKey, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  if (bytes.length !== 64 || bytes.toString('base64') !== signature) return false
  return verify(null, Buffer.from(text), key, bytes)
}

function createVerifyKey(key: KeyObject): VerifyKey {
  const { crv, kty, x } = key.export({ format: 'jwk' })
  const kid = createHash('sha256').update(canonicalBytes({ crv, kty, x })).digest('base64url')
  return { kid, key }
}
