import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { randomText } from '../../platform/ids.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { loadKeyRing, readKeyRing } from '../signing/key-ring.ts'
import type { CatalogKey } from '../signing/keys.ts'
import { listedKey } from '../signing/review.ts'
import { latestSequence } from '../signing/store.ts'
import type { BuiltSite } from './built-site.ts'
import type { Document } from './document.ts'
import {
  type IssueDeps,
  type Issued,
  issueManifest,
  latestIssued,
  RENEW_AFTER_MS,
} from './issue-manifest.ts'

export type KeepDeps = IssueDeps & {
  site(): BuiltSite | undefined
  /**
   * True if manifests are issued before somebody asks for one. A static copy under another address
   * does not issue them.
   */
  byItself: boolean
  report(error: unknown): void
}

/** The manifest of what is served now, and the files of those before it. */
export type Manifests = AsyncDisposable & {
  /** The newest, issued on the first call if necessary. Throws the reason if that fails. */
  ready(): Promise<CurrentManifest>
  /** A file of a manifest that mirrors may still be reading. */
  file(sha256: string): Document | undefined
  /** Looks now instead of at the next interval. */
  look(): Promise<void>
}

export type CurrentManifest = {
  issued: Issued
  keys: readonly CatalogKey[]
}

const LOOK_EVERY_MS = 2_000
// A mirror that is reading an older manifest can finish; more would hold whole catalogs in memory. A
// mirror of a larger one goes on from the newest manifest.
const SITES_MOST = 3
const OLDER_TOOLS_MOST = 10_000
const SITES_FOR_MS = 60 * 60_000
const LEASE = 'catalog_manifest'
// Longer than issuing takes, and short enough for another process to take over soon after a crash.
const LEASE_MS = 2 * 60_000

/**
 * Issues a manifest after each new site, after a change of keys, and before the last one expires.
 * If several processes share a database, one of them issues; the others serve what it signed.
 */
export function keepManifests(deps: KeepDeps): Manifests {
  const { db, clock, report } = deps
  const holder = randomText(16)
  const files = createServedFiles(clock)
  let current: CurrentManifest | undefined
  let done: { site: BuiltSite; state: string; until: number } | undefined
  let isWanted = false
  let last: Promise<void> = Promise.resolve()

  function refresh(): Promise<void> {
    last = last.catch(() => {}).then(work)
    return last
  }

  async function work(): Promise<void> {
    const site = deps.site()
    if (!site) return
    // An empty catalog is signed only on request.
    if (!isWanted && (!deps.byItself || site.snapshot.sequence === 0)) return
    const now = clock.now()
    files.forgetOld()
    if (done?.site === site && done.state === (await stateOf()) && now < done.until) return
    const isOurs = await takeJob(now)
    const issued = isOurs ? await issueManifest(deps, site) : await latestIssued(db.read)
    if (!issued) return
    const ring = await loadKeyRing(deps)
    const keys = [...ring.keys, ...(site.snapshot.keys ?? []).map(listedKey)]
    files.add(site, issued)
    current = { issued, keys }
    const renewal = Date.parse(issued.manifest.issuedAt) + RENEW_AFTER_MS
    done = { site, state: await stateOf(), until: isOurs ? renewal : now + LEASE_MS }
  }

  /** Reads the state that a command or another server on the same database may have changed. */
  async function stateOf(): Promise<string> {
    const ring = await readKeyRing(db.read)
    return JSON.stringify([await latestSequence(db.read), ring?.keys])
  }

  async function takeJob(now: number): Promise<boolean> {
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    return await db.write((tx) => takeLease(tx, lease))
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, refresh, report)
  return {
    async ready() {
      if (current) return current
      isWanted = true
      await refresh()
      if (!current) throw new Error('there is no manifest yet')
      return current
    },
    file: files.find,
    look: refresh,
    async [Symbol.asyncDispose]() {
      await looking[Symbol.asyncDispose]()
      await last.catch(() => {})
      await leaveLease(db, LEASE, holder)
    },
  }
}

/** The files of one manifest; a document is checked against its hash once. */
type ServedFiles = {
  site: BuiltSite
  since: number
  paths: Map<string, string>
  checked: Set<string>
}

/** Files of the newest manifests by their hashes, for as long as a mirror may be reading them. */
function createServedFiles(clock: Clock) {
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
