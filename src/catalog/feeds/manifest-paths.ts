export const KEYS_PATH = '/.well-known/catalog-keys.json'
export const MANIFEST_PATH = '/api/v1/manifest.json'
export const SIGNATURE_PATH = '/api/v1/manifest.jws.json'
export const REVISIONS_PATH = '/api/v1/revisions.json'
export const SNAPSHOT_PATH = '/api/v1/snapshot.tar.gz'
export const DATABASE_PATH = '/api/v1/catalog.sqlite'
export const MINISIGN_PATH = `${DATABASE_PATH}.minisig`
export const MINISIGN_KEY_PATH = '/.well-known/catalog-minisign.pub'
/** Followed by the SHA-256 of a file in hexadecimal digits. */
export const BLOB_PREFIX = '/api/v1/blobs/sha256/'
/** Served by a mirror alone: whose catalog it is, and how fresh. */
export const MIRROR_STATE_PATH = '/api/v1/mirror.json'

/** The manifest with its signature and the keys: what a mirror serves as it got it. */
export const SIGNED_PATHS = [MANIFEST_PATH, SIGNATURE_PATH, KEYS_PATH] as const

/** The signature of the SQLite file for minisign. Mirrors, which have no private key, send readers to the origin. */
export const MINISIGN_PATHS = [MINISIGN_PATH, MINISIGN_KEY_PATH] as const

/** Paths of a catalog that mirrors read. */
export const MANIFEST_ROUTES: readonly string[] = [
  ...SIGNED_PATHS,
  ...MINISIGN_PATHS,
  REVISIONS_PATH,
  SNAPSHOT_PATH,
  `${BLOB_PREFIX}:sha256`,
]

const RESERVED = new Set([...MANIFEST_ROUTES, MIRROR_STATE_PATH])

/** True if a manifest may not list this path, because something else is served there. */
export function isReserved(path: string): boolean {
  return RESERVED.has(path) || path.startsWith(BLOB_PREFIX)
}
