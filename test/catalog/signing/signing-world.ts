import { createHash } from 'node:crypto'
import { type CatalogKey, TYP } from '../../../src/catalog/signing/keys.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { canonicalBytes } from '../../../src/platform/signing/canonical.ts'
import {
  makePrivateJwk,
  type PrivateJwk,
  publicJwk,
} from '../../../src/platform/signing/ed25519.ts'
import { signDetached } from '../../../src/platform/signing/jws.ts'

export type TestKey = { kid: string; jwk: PrivateJwk; listed: CatalogKey }

/** A key that signs since the first of the month. */
export async function testKey(more: Partial<CatalogKey> = {}): Promise<TestKey> {
  const { kid, jwk } = makePrivateJwk()
  const own = { kid, use: 'sig', purpose: 'manifest', since: '2026-11-01' } as const
  return { kid, jwk, listed: { ...publicJwk(jwk), ...own, ...more } }
}

export const hexOf = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex')

/** A manifest of a few files, with what a test wants to be different. */
export function manifestWith(more: Partial<Manifest> = {}): Manifest {
  const file = (path: string, body: string) => ({
    ...{ path, type: 'application/json', sha256: hexOf(body), size: body.length },
  })
  return {
    version: 1,
    baseUrl: 'https://catalog.example',
    sequence: 7,
    revision: 'abc',
    issuedAt: '2026-11-21T12:00:00.000Z',
    expiresAt: '2026-11-28T12:00:00.000Z',
    files: [file('/api/v1/tools.json', '{}'), file('/tools/resend.json', '[]')],
    removed: [],
    previous: null,
    ...more,
  }
}

export async function signed(manifest: unknown, key: TestKey, typ: keyof typeof TYP = 'manifest') {
  const bytes = canonicalBytes(manifest)
  return { bytes, jws: await signDetached(bytes, key.jwk, TYP[typ]) }
}
