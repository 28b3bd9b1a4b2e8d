import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { BuiltSite } from './built-site.ts'
import type { Document } from './document.ts'
import type { Issued } from './issue-manifest.ts'

// A mirror that is reading an older manifest can finish; more would hold whole catalogs in memory. A
// mirror of a larger one goes on from the newest manifest.
const SITES_MOST = 3
const OLDER_TOOLS_MOST = 10_000
const SITES_FOR_MS = 60 * 60_000

/** The files of one manifest; a document is checked against its hash once. */
type ServedFiles = {
  site: BuiltSite
  since: number
  paths: Map<string, string>
  checked: Set<string>
}

/** Files of the newest manifests by their hashes, for as long as a mirror may be reading them. */
export function createServedFiles(clock: Clock) {
  let served: ServedFiles[] = []
  return {
    forgetOld() {
      const now = clock.now()
      served = served.filter(({ since }, i) => i === 0 || now - since < SITES_FOR_MS)
    },
    add(site: BuiltSite, { manifest }: Issued) {
      const now = clock.now()
      const paths = new Map(manifest.files.map(({ sha256, path }) => [sha256, path]))
      // The hour of an older one begins when it is replaced.
      const older = served.map((one, i) => (i === 0 ? { ...one, since: now } : one))
      const others = older.filter((one) => {
        return one.site !== site && one.site.snapshot.tools.length < OLDER_TOOLS_MOST
      })
      const newest = { site, since: now, paths, checked: new Set<string>() }
      served = [newest, ...others].slice(0, SITES_MOST)
    },
    find(sha256: string): Document | undefined {
      for (const one of served) {
        const document = one.site.documents.get(one.paths.get(sha256) ?? '')
        if (document && isIntact(one, document, sha256)) return document
      }
      return undefined
    },
  }
}

/** Another process may have signed other bytes under the path that this one serves. */
function isIntact({ checked }: ServedFiles, document: Document, sha256: string): boolean {
  if (checked.has(sha256)) return true
  const hash = createHash('sha256')
  for (const piece of document.pieces()) hash.update(piece)
  const own = hash.digest('hex')
  if (own === sha256) checked.add(sha256)
  return own === sha256
}
