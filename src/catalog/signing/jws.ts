import { TypeCompiler } from '@sinclair/typebox/compiler'
import { errors, FlattenedSign, flattenedVerify, importJWK } from 'jose'
import { DetachedJws, kidOf, type PrivateJwk, type PublicJwk, publicJwk } from './keys.ts'

/** The purpose of a signature: one of a manifest is not valid for a review. */
export const TYP = {
  manifest: 'catalog-manifest+jws',
  review: 'catalog-review+jws',
  /** A key endorses the next one. */
  key: 'catalog-key+jws',
} as const
export type Typ = (typeof TYP)[keyof typeof TYP]

const ALG = 'EdDSA'
const HEADER = ['alg', 'kid', 'typ']

/** Makes a detached signature of `bytes` (RFC 7515, appendix F). */
export async function signDetached(
  bytes: Uint8Array,
  key: PrivateJwk,
  typ: Typ,
): Promise<DetachedJws> {
  const jws = await new FlattenedSign(bytes)
    .setProtectedHeader({ alg: ALG, kid: await kidOf(key), typ })
    .sign(await importJWK(key, ALG))
  return { protected: jws.protected ?? '', signature: jws.signature }
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
export async function verifyDetached(
  bytes: Uint8Array,
  jws: unknown,
  key: PublicJwk,
  typ: Typ,
): Promise<true | string> {
  const detached = readDetached(jws)
  if (typeof detached === 'string') return detached
  if (detached.typ !== typ) return `The signature is a ${quoteValue(detached.typ)}, not a ${typ}.`
  const kid = await kidOf(key)
  if (detached.kid !== kid)
    return `The signature names the key ${quoteValue(detached.kid)}, not ${kid}.`
  const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const whole = { ...detached.jws, payload: payload.toString('base64url') }
    await flattenedVerify(whole, await importJWK(publicJwk(key), ALG), { algorithms: [ALG] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return NOT_SIGNED
    // The key is not a point of the curve.
    if (error instanceof DOMException || error instanceof TypeError) return NOT_SIGNED
    throw error
  }
}

const NOT_SIGNED = 'The signature does not fit: these are not the bytes that were signed.'

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
