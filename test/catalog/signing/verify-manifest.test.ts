import { beforeAll, expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { CatalogKey } from '../../../src/catalog/signing/keys.ts'
import { verifyManifest } from '../../../src/catalog/signing/verify-manifest.ts'
import { canonicalBytes } from '../../../src/platform/signing/canonical.ts'
import { hexOf, manifestWith, signed, type TestKey, testKey } from './signing-world.ts'

let key: TestKey
let keys: { keys: CatalogKey[] }
beforeAll(async () => {
  key = await testKey()
  keys = { keys: [key.listed] }
})

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signs with the runtime's own cryptography whatever header a test wants. */
function signedAs(header: object, bytes: Uint8Array, by = key) {
  const protectedHeader = base64url(header)
  const input = `${protectedHeader}.${Buffer.from(bytes).toString('base64url')}`
  const own = createPrivateKey({ key: by.jwk, format: 'jwk' })
  const signature = sign(null, Buffer.from(input), own).toString('base64url')
  return { protected: protectedHeader, signature }
}

async function why(bytes: Uint8Array, jws: unknown, list: unknown = keys): Promise<string> {
  const result = await verifyManifest(bytes, jws, list)
  return result.ok ? 'it holds' : result.why
}

test('a signed manifest is valid, also by a few lines of another implementation', async () => {
  const { bytes, jws } = await signed(manifestWith(), key)
  expect(await verifyManifest(bytes, jws, keys)).toEqual({
    ...{ ok: true, kid: key.kid, manifest: manifestWith() },
  })
  const input = `${jws.protected}.${Buffer.from(bytes).toString('base64url')}`
  const { kty, crv, x } = key.listed
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const signature = Buffer.from(jws.signature, 'base64url')
  expect(verify(null, Buffer.from(input), publicKey, signature)).toBe(true)
  expect(JSON.parse(Buffer.from(jws.protected, 'base64url').toString())).toEqual({
    ...{ alg: 'EdDSA', kid: key.kid, typ: 'catalog-manifest+jws' },
  })
  // RFC 7638 by hand.
  const thumbprint = Buffer.from(hexOf(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`), 'hex')
  expect(thumbprint.toString('base64url')).toBe(key.kid)
})

test('what another implementation signed holds here', async () => {
  const bytes = canonicalBytes(manifestWith())
  const header = { alg: 'EdDSA', typ: 'catalog-manifest+jws', kid: key.kid }
  expect(await why(bytes, signedAs(header, bytes))).toBe('it holds')
})

const bytes = canonicalBytes(manifestWith())
const typ = 'catalog-manifest+jws'

test('a signature that counts for nothing: another byte', async () => {
  const { jws } = await signed(manifestWith(), key)
  const other = canonicalBytes(manifestWith({ sequence: 8 }))
  expect(await why(other, jws)).toContain('not the bytes that were signed')
})

test('a signature that counts for nothing: a signature over a review', async () => {
  const { jws } = await signed(manifestWith(), key, 'review')
  expect(await why(bytes, jws)).toContain('"catalog-review+jws", not a catalog-manifest+jws')
})

test('no algorithm, or one in which the public key would be the secret', async () => {
  const none = { protected: base64url({ alg: 'none', kid: key.kid, typ }), signature: '' }
  expect(await why(bytes, none)).toContain('not {protected, signature}')
  const padded = { ...none, signature: 'A'.repeat(86) }
  expect(await why(bytes, padded)).toContain('says alg "none"')
  const head = base64url({ alg: 'HS256', kid: key.kid, typ })
  const mac = new Bun.CryptoHasher('sha512', Buffer.from(key.listed.x, 'base64url'))
    .update(`${head}.${Buffer.from(bytes).toString('base64url')}`)
    .digest('base64url')
  expect(await why(bytes, { protected: head, signature: mac })).toContain('says alg "HS256"')
})

test.each([
  ['a key of its own', { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } }],
  ['where to get a key', { jku: 'https://evil.example/keys' }],
  ['something critical', { crit: ['b64'], b64: false }],
])('a signature that counts for nothing: %s in the header', async (_, more) => {
  const jws = signedAs({ alg: 'EdDSA', kid: key.kid, typ, ...more }, bytes)
  expect(await why(bytes, jws)).toContain('alg, kid, typ and nothing else')
})

test('a key that is not in the list, or under the name of one that is', async () => {
  const stranger = await testKey()
  const { jws } = await signed(manifestWith(), stranger)
  expect(await why(bytes, jws)).toContain('not in the list of keys')
  const posing = signedAs({ alg: 'EdDSA', kid: key.kid, typ }, bytes, stranger)
  expect(await why(bytes, posing)).toContain('not the bytes that were signed')
  const renamed = { keys: [{ ...stranger.listed, kid: key.kid }] }
  expect(await why(bytes, posing, renamed)).toContain('not its thumbprint')
})

test('a key that signs reviews, is revoked, not valid yet, or no longer', async () => {
  const { jws } = await signed(manifestWith(), key)
  const listed = (more: object) => ({ keys: [{ ...key.listed, ...more }] })
  expect(await why(bytes, jws, listed({ purpose: 'review' }))).toContain('signs reviews')
  const revoked = { at: '2026-11-30', reason: 'Lost.' }
  expect(await why(bytes, jws, listed({ revoked }))).toContain('was revoked: Lost.')
  expect(await why(bytes, jws, listed({ since: '2026-11-22' }))).toContain('only since')
  expect(await why(bytes, jws, listed({ until: '2026-11-20' }))).toContain('until 2026-11-20')
  expect(await why(bytes, jws, listed({ until: '2026-11-21' }))).toBe('it holds')
})

test('what is no signature or no list at all', async () => {
  const { jws } = await signed(manifestWith(), key)
  for (const odd of [null, 7, 'x', [], {}, { ...jws, payload: 'AA' }, { ...jws, protected: 7 }]) {
    expect(await why(bytes, odd)).toContain('The signature is not')
  }
  for (const odd of ['####', 'AAAA', base64url('null'), base64url('[]')]) {
    expect(await why(bytes, { ...jws, protected: odd })).not.toBe('it holds')
  }
  for (const odd of [null, [], {}, { keys: 7 }, { keys: [{ ...key.listed, d: key.jwk.d }] }]) {
    expect(await why(bytes, jws, odd)).toContain('The list of keys is not one')
  }
  const twice = { keys: [key.listed, key.listed] }
  expect(await why(bytes, jws, twice)).toContain('twice')
})

const file = (path: string) => ({ path, type: 'text/plain', sha256: hexOf(''), size: 0 })

test.each([
  '/../etc/passwd',
  '/tools/../../x',
  '/tools/..',
  '/./x',
  'tools/x',
  '//x',
  '/tools//x',
  '/tools/',
  '/',
  '',
  '/a\u0000b',
  '/a\\..\\b',
  '/%2e%2e/x',
  '/a%2F..%2Fb',
  '/..%2Fx',
  '/%2F',
  '/a%2f',
  '/a%5Cb',
  '/a?b',
  '/a#b',
  '/c:/x',
  '/ä',
  '/a b',
  'https://evil.example/x',
])('a manifest that is rightly signed and still refused with a file at %j', async (path) => {
  const { bytes, jws } = await signed(manifestWith({ files: [file(path)] }), key)
  expect(await why(bytes, jws)).toContain('an invalid path')
})

test('a manifest that is rightly signed and still refused with files in disorder, twice, or differing only in case', async () => {
  const tried = async (...paths: string[]) => {
    const { bytes, jws } = await signed(manifestWith({ files: paths.map(file) }), key)
    return await why(bytes, jws)
  }
  expect(await tried('/a', '/b', '/c/io.x%2Fy/z')).toBe('it holds')
  expect(await tried('/b', '/a')).toContain('not sorted')
  expect(await tried('/a', '/a')).toContain('not sorted')
  expect(await tried('/A', '/a')).toContain('only in case')
})

test('a manifest that is rightly signed and still refused not written canonically', async () => {
  const text = JSON.stringify(manifestWith())
  const bytes = new TextEncoder().encode(text)
  const jws = signedAs({ alg: 'EdDSA', kid: key.kid, typ: 'catalog-manifest+jws' }, bytes)
  expect(await why(bytes, jws)).toContain('not written canonically')
  const canonical = new TextDecoder().decode(canonicalBytes(manifestWith()))
  for (const odd of [`${canonical}\n`, `\ufeff${canonical}`, canonical.replace('{', '{"a":1,')]) {
    const other = new TextEncoder().encode(odd)
    const own = signedAs({ alg: 'EdDSA', kid: key.kid, typ: 'catalog-manifest+jws' }, other)
    expect(await why(other, own)).toContain('The manifest is not')
  }
  const doubled = new TextEncoder().encode(canonical.replace('{', '{"baseUrl":"https://a",'))
  const own = signedAs({ alg: 'EdDSA', kid: key.kid, typ: 'catalog-manifest+jws' }, doubled)
  expect(await why(doubled, own)).toContain('not written canonically')
})

test.each([
  ['another version', { version: 2 }],
  ['a field too many', { more: 1 }],
  ['no sequence', { sequence: 0 }],
  ['a sequence beyond counting', { sequence: 2 ** 53 }],
  ['a hash in capital letters', { previous: 'A'.repeat(64) }],
  ['an end before its beginning', { expiresAt: '2026-11-20T00:00:00.000Z' }],
  ['a type that would break a header', { files: [{ ...file('/a'), type: 'a\r\nb' }] }],
  ['a size below nothing', { files: [{ ...file('/a'), size: -1 }] }],
])('a manifest that is rightly signed and still refused: %s', async (_, more) => {
  const { bytes, jws } = await signed({ ...manifestWith(), ...more }, key)
  expect(await why(bytes, jws)).not.toBe('it holds')
})

test('more bytes than are read', async () => {
  const bytes = new Uint8Array(64 * 1024 * 1024 + 1).fill(32)
  const jws = signedAs({ alg: 'EdDSA', kid: key.kid, typ: 'catalog-manifest+jws' }, bytes)
  expect(await why(bytes, jws)).toContain('at most')
})
