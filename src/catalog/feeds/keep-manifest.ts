import { holdLease, leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { loadKeyRing, readKeyRing } from '../signing/key-ring.ts'
import type { ManifestFile } from '../signing/manifest.ts'
import { listedKey } from '../signing/review.ts'
import { latestSequence } from '../signing/store.ts'
import type { BuiltSite } from './built-site.ts'
import { signDatabase } from './database/sign-database.ts'
import type { Document } from './document.ts'
import {
  type CurrentManifest,
  type IssueDeps,
  type Issued,
  issueManifest,
  latestIssued,
  RENEW_AFTER_MS,
} from './issue-manifest.ts'
import { createServedFiles } from './served-files.ts'
import { createSiteArchive } from './site-archive.ts'
import { waitBriefly } from './wait-briefly.ts'

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
  /**
   * The newest, issued on the first call if necessary. Throws the reason if that fails, and
   * `unavailable` while it takes longer than a request can wait.
   */
  ready(): Promise<CurrentManifest>
  /** Issues it for files that were hashed already, those of the whole site. */
  sign(files: ManifestFile[]): Promise<void>
  /** The archive of the newest manifest; throws as `ready` does. */
  archive(): Promise<Document>
  /** A file of a manifest that mirrors may still be reading. */
  file(sha256: string): Document | undefined
  /** Looks now instead of at the next interval. */
  look(): Promise<void>
}

const LOOK_EVERY_MS = 2_000
const LEASE = 'catalog_manifest'
// Short enough for another process to take over soon after a crash.
const LEASE_MS = 2 * 60_000

/**
 * Issues a manifest after each new site, after a change of keys, and before the last one expires.
 * If several processes share a database, one of them issues; the others serve what it signed.
 */
export function keepManifests(deps: KeepDeps): Manifests {
  const { db, clock, report } = deps
  const job = jobOf(deps)
  const files = createServedFiles(clock)
  const archive = createSiteArchive({ clock, report })
  let current: CurrentManifest | undefined
  let done: { site: BuiltSite; state: string; until: number } | undefined
  let isWanted = false
  let last: Promise<void> = Promise.resolve()

  function refresh(hashed?: ManifestFile[]): Promise<void> {
    last = last.catch(() => {}).then(() => work(hashed))
    return last
  }

  async function work(hashed?: ManifestFile[]): Promise<void> {
    const site = deps.site()
    if (!site) return
    // An empty catalog is signed only on request.
    if (!isWanted && (!deps.byItself || site.snapshot.sequence === 0)) return
    const now = clock.now()
    files.forgetOld()
    if (done?.site === site && done.state === (await stateOf(db.read)) && now < done.until) return
    const isOurs = await job.take()
    const issued = isOurs ? await issue(site, hashed) : await latestIssued(db.read)
    if (!issued) return
    const ring = await loadKeyRing(deps)
    const keys = [...ring.keys, ...(site.snapshot.keys ?? []).map(listedKey)]
    files.add(site, issued)
    current = { issued, keys, minisign: await signDatabase(site, issued.manifest, ring) }
    archive.offer(site, current)
    const renewal = Date.parse(issued.manifest.issuedAt) + RENEW_AFTER_MS
    done = { site, state: await stateOf(db.read), until: isOurs ? renewal : now + LEASE_MS }
  }

  async function issue(site: BuiltSite, hashed?: ManifestFile[]): Promise<Issued> {
    const packing = async () => hashed ?? (await archive.pack(site))
    return await issueManifest(deps, site, await job.holdDuring(packing))
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, () => refresh(), report)

  async function ready(): Promise<CurrentManifest> {
    if (!current) {
      isWanted = true
      await waitBriefly(clock, refresh(), archive.notYet)
    }
    if (current) return current
    throw new Failure('unavailable', NOT_SIGNED, { retryAfter: 10 })
  }

  return {
    ready,
    async sign(hashed) {
      isWanted = true
      await refresh(hashed)
    },
    archive: () => ready().then(archive.document),
    file: files.find,
    look: () => refresh(),
    async [Symbol.asyncDispose]() {
      archive.stop()
      await looking[Symbol.asyncDispose]()
      await last.catch(() => {})
      archive[Symbol.dispose]()
      await job.leave()
    },
  }
}

/** The job of issuing, which one process has at a time. */
function jobOf({ db, clock }: KeepDeps) {
  const holder = randomText(16)
  return {
    async take(): Promise<boolean> {
      const now = clock.now()
      const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
      return await db.write((tx) => takeLease(tx, lease))
    },
    holdDuring: <T>(work: () => Promise<T>) =>
      holdLease({ db, clock }, { name: LEASE, holder, forMs: LEASE_MS }, work),
    leave: () => leaveLease(db, LEASE, holder),
  }
}

/** Reads the state that a command or another server on the same database may have changed. */
async function stateOf(read: KeepDeps['db']['read']): Promise<string> {
  const ring = await readKeyRing(read)
  return JSON.stringify([await latestSequence(read), ring?.keys])
}

const NOT_SIGNED = 'There is no manifest yet. Try again in a moment.'
