/** What a mirror reads of a catalog, and sends again under the same addresses. */
export const MIRRORED_FEEDS = {
  manifest: '/api/v1/manifest.json',
  signature: '/api/v1/manifest.jws.json',
  keys: '/.well-known/catalog-keys.json',
} as const
export const SNAPSHOT = '/api/v1/snapshot.tar.gz'
export const REVISIONS = '/api/v1/revisions.json'
export const MIRRORED_BLOBS = '/api/v1/blobs/sha256/'
/** What a mirror says of itself. */
export const MIRROR_STATE_PATH = '/api/v1/mirror.json'

const OWN = new Set<string>([
  ...Object.values(MIRRORED_FEEDS),
  SNAPSHOT,
  REVISIONS,
  MIRROR_STATE_PATH,
])

/** Whether a manifest may not list this path: something else is there. */
export function isReserved(path: string): boolean {
  return OWN.has(path) || path.startsWith(MIRRORED_BLOBS)
}
