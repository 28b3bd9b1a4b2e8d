import { thumbprint } from '../../platform/signing/ed25519.ts'
import {
  type MinisignKey,
  readPublicKey,
  verifiedComment,
} from '../../platform/signing/minisign.ts'
import { DATABASE_PATH, MINISIGN_KEY_PATH, MINISIGN_PATH } from '../feeds/manifest-paths.ts'
import { followKeys } from '../signing/follow-keys.ts'
import { keyProblem, readKeys } from '../signing/keys.ts'
import type { Manifest } from '../signing/manifest.ts'
import type { SignedCatalog } from './published-catalog.ts'

/**
 * Checks the signature of the SQLite file for minisign, and that its key follows from `trusted`, the
 * key of the manifest. Returns what is wrong, in sentences. Mirrors have neither file.
 */
export async function checkMinisign(
  catalog: SignedCatalog,
  { files, issuedAt }: Manifest,
  trusted: string,
): Promise<string[]> {
  const database = files.find(({ path }) => path === DATABASE_PATH)
  const [key, signature] = await Promise.all([
    catalog.text?.(MINISIGN_KEY_PATH),
    catalog.text?.(MINISIGN_PATH),
  ])
  if (!database || (key === undefined && signature === undefined)) return []
  const publicKey = readPublicKey(key ?? '')
  if (!publicKey) return [`${MINISIGN_KEY_PATH} is no public key of minisign.`]
  const problem = problemOf(catalog.keys, publicKey, trusted, issuedAt.slice(0, 10))
  if (problem !== undefined) return [`${MINISIGN_KEY_PATH}: ${problem}`]
  const content = await catalog.file(database.sha256, database.size)
  // A file that is missing is reported as a document.
  if (!content) return []
  const isSigned = verifiedComment(content, signature ?? '', publicKey) !== undefined
  return isSigned ? [] : [`${MINISIGN_PATH} is no signature of ${DATABASE_PATH} by its key.`]
}

function problemOf(
  keys: unknown,
  { jwk }: MinisignKey,
  trusted: string,
  day: string,
): string | undefined {
  const kid = thumbprint(jwk)
  const set = readKeys(keys)
  if (typeof set === 'string') return set
  const own = set.keys.find((one) => one.kid === kid)
  if (!own || own.revoked) return `The key ${kid} is not in the list of keys, or was revoked.`
  const followed = followKeys(keys, trusted, kid)
  return followed.ok ? keyProblem(own, 'manifest', day) : followed.why
}
