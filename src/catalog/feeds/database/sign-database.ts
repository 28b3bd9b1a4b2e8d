import { createHash } from 'node:crypto'
import { regularPauses } from '../../../platform/run-in-steps.ts'
import { publicKeyFile, signHash } from '../../../platform/signing/minisign.ts'
import { type KeyRing, signingKey } from '../../signing/key-ring.ts'
import type { Manifest } from '../../signing/manifest.ts'
import type { BuiltSite } from '../built-site.ts'
import { DATABASE_PATH, MINISIGN_KEY_PATH, MINISIGN_PATH } from '../manifest-paths.ts'

const KEY_ID_BYTES = 8

/**
 * The signature of the SQLite file and the public key, as minisign writes them, by their addresses.
 * The key is that of the manifest, which lists the file too; what is signed here has 64 bytes, and of
 * a manifest always more, so neither signature can be taken for the other.
 */
export async function signDatabase(
  { documents }: BuiltSite,
  { baseUrl, sequence, issuedAt }: Manifest,
  ring: KeyRing,
): Promise<ReadonlyMap<string, string>> {
  const document = documents.get(DATABASE_PATH)
  if (!document) return new Map()
  const hash = createHash('blake2b512')
  const pause = regularPauses()
  for (const piece of document.pieces()) {
    hash.update(piece)
    await pause()
  }
  const { kid, ...jwk } = signingKey(ring)
  const key = { id: Buffer.from(kid, 'base64url').subarray(0, KEY_ID_BYTES), jwk }
  const comment = `catalog.sqlite of ${baseUrl}, manifest ${sequence}, ${issuedAt}`
  return new Map([
    [MINISIGN_PATH, signHash(hash.digest(), key, comment, 'signature of a catalog')],
    [MINISIGN_KEY_PATH, publicKeyFile(key, `key of the manifest, ${kid}`)],
  ])
}
