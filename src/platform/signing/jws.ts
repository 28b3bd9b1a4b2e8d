import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { isSignature, type PrivateJwk, type PublicJwk, signBytes, thumbprint } from './ed25519.ts'

export const DetachedJws = Type.Object(
  {
    protected: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 1,
      maxLength: 1000,
      description: 'Header `{alg, kid, typ}` in base64url.',
    }),
    signature: Type.String({
      pattern: '^[A-Za-z0-9_-]{86}$',
      maxLength: 86,
      description: 'Ed25519 signature in base64url.',
    }),
  },
  {
    additionalProperties: false,
    description: 'A flattened JWS without its payload (RFC 7515, appendix F).',
  },
)
export type DetachedJws = Static<typeof DetachedJws>

const ALG = 'EdDSA'
const HEADER = ['alg', 'kid', 'typ']

/**
 * Makes a detached signature of `bytes` (RFC 7515, appendix F). `typ` is the purpose: a signature for
 * one is not valid for another.
 */
export function signDetached(bytes: Uint8Array, key: PrivateJwk, typ: string): DetachedJws {
  const header = JSON.stringify({ alg: ALG, kid: thumbprint(key), typ })
  const encodedHeader = Buffer.from(header).toString('base64url')
  const signature = signBytes(key, signedText(encodedHeader, bytes))
  return { protected: encodedHeader, signature: signature.toString('base64url') }
}

/**
 * Reads the claimed key and purpose; returns a sentence if `jws` is not a valid signature object.
 */
export function readDetached(
  jws: unknown,
): { jws: DetachedJws; kid: string; typ: string } | string {
  if (!check.Check(jws)) return 'The signature is not {protected, signature} in base64url.'
  const header = headerOf(jws.protected)
  if (!header) return 'The header of the signature is not JSON.'
  const names = Object.keys(header).sort()
  if (names.join() !== HEADER.join()) {
    return `The header of the signature must have ${HEADER.join(', ')} and nothing else.`
  }
  const { alg, kid, typ } = header
  if (alg !== ALG) return `The signature says alg ${quoteValue(alg)}; only ${ALG} counts.`
  if (typeof kid !== 'string' || typeof typ !== 'string') {
    return 'The header of the signature must name a key and a type in text.'
  }
  return { jws, kid, typ }
}

const check = TypeCompiler.Compile(DetachedJws)

/** Checks that `key` signed exactly `bytes` for this purpose; returns a sentence if not. */
export function verifyDetached(
  bytes: Uint8Array,
  jws: unknown,
  key: PublicJwk,
  typ: string,
): true | string {
  const detached = readDetached(jws)
  if (typeof detached === 'string') return detached
  if (detached.typ !== typ) return `The signature is a ${quoteValue(detached.typ)}, not a ${typ}.`
  const kid = thumbprint(key)
  if (detached.kid !== kid)
    return `The signature names the key ${quoteValue(detached.kid)}, not ${kid}.`
  const signature = Buffer.from(detached.jws.signature, 'base64url')
  const isValid = isSignature(key, signedText(detached.jws.protected, bytes), signature)
  return isValid || 'The signature does not fit: these are not the bytes that were signed.'
}

function signedText(header: string, bytes: Uint8Array): Buffer {
  const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Buffer.from(`${header}.${payload.toString('base64url')}`)
}

function headerOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString())
    return value && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function quoteValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80)
}
