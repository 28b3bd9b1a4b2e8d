import { createHash } from 'node:crypto'
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
  /** Without it only when somebody asks, as for a copy that is made under another address. */
  byItself: boolean
  report(error: unknown): void
}

/** The manifest of what is served now, and the files of those before it. */
export type Manifests = AsyncDisposable & {
  /** The newest; made when it is first asked for. Throws what kept it from being made. */
  ready(): Promise<CurrentManifest>
  /** A file of one of the manifests that mirrors may still be reading. */
  file(sha256: string): Document | undefined
  /** Looks now, instead of in a moment. */
  look(): Promise<void>
}

export type CurrentManifest = {
  issued: Issued
  keys: readonly CatalogKey[]
}

const LOOK_EVERY_MS = 2_000
// A mirror in the middle of an older one can finish; more would hold whole catalogs in memory.
const SITES_MOST = 3
const SITES_FOR_MS = 60 * 60_000
const LEASE = 'catalog_manifest'
// Longer than issuing takes, and short enough that another process soon goes on after a crash.
const LEASE_MS = 2 * 60_000

/** What a manifest lists, as long as somebody may ask for it; a document is checked once. */
type Kept = { site: BuiltSite; since: number; paths: Map<string, string>; checked: Set<string> }

/**
 * Issues a manifest after each new site, after a change of keys, and before the last one expires.
 * One process of those on a database does; the others serve what it has signed.
 */
export function keepManifests(deps: KeepDeps): Manifests {
  const { db, clock, report } = deps
  const holder = randomText(16)
  let kept: Kept[] = []
  let offered: CurrentManifest | undefined
  let done: { site: BuiltSite; state: string; until: number } | undefined
  let isWanted = false
  let last: Promise<void> = Promise.resolve()

  function look(): Promise<void> {
    last = last.catch(() => {}).then(work)
    return last
  }

  async function work(): Promise<void> {
    const site = deps.site()
    if (!site) return
    // An empty catalog is signed only for whoever asks.
    if (!isWanted && (!deps.byItself || site.snapshot.sequence === 0)) return
    const now = clock.now()
    kept = kept.filter(({ since }, i) => i === 0 || now - since < SITES_FOR_MS)
    if (done?.site === site && done.state === (await stateOf()) && now < done.until) return
    const isOurs = await takeJob(now)
    const issued = isOurs ? await issueManifest(deps, site) : await latestIssued(db.read)
    if (!issued) return
    const ring = await loadKeyRing(deps)
    const keys = [...ring.keys, ...(site.snapshot.keys ?? []).map(listedKey)]
    keep(site, issued, now)
    offered = { issued, keys }
    const renewal = Date.parse(issued.manifest.issuedAt) + RENEW_AFTER_MS
    done = { site, state: await stateOf(), until: isOurs ? renewal : now + LEASE_MS }
  }

  /** What other processes may have changed: commands, and servers on the same database. */
  async function stateOf(): Promise<string> {
    const ring = await readKeyRing(db.read)
    return JSON.stringify([await latestSequence(db.read), ring?.keys])
  }

  async function takeJob(now: number): Promise<boolean> {
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    return await db.write((tx) => takeLease(tx, lease))
  }

  function keep(site: BuiltSite, { manifest }: Issued, now: number): void {
    const paths = new Map(manifest.files.map(({ sha256, path }) => [sha256, path]))
    // The older ones count their hour from when something took their place.
    const older = kept.map((one, i) => (i === 0 ? { ...one, since: now } : one))
    const others = older.filter((one) => one.site !== site)
    kept = [{ site, since: now, paths, checked: new Set<string>() }, ...others].slice(0, SITES_MOST)
  }

  const looking = repeatEvery(clock, LOOK_EVERY_MS, look, report)
  return {
    async ready() {
      if (offered) return offered
      isWanted = true
      await look()
      if (!offered) throw new Error('there is no manifest yet')
      return offered
    },
    file(sha256) {
      for (const one of kept) {
        const document = one.site.documents.get(one.paths.get(sha256) ?? '')
        if (document && isIntact(one, document, sha256)) return document
      }
      return undefined
    },
    look,
    async [Symbol.asyncDispose]() {
      await looking[Symbol.asyncDispose]()
      await last.catch(() => {})
      await leaveLease(db, LEASE, holder)
    },
  }
}

/** Another process may have signed other bytes under the path that we serve. */
function isIntact({ checked }: Kept, document: Document, sha256: string): boolean {
  if (checked.has(sha256)) return true
  const own = createHash('sha256').update(document.bytes()).digest('hex')
  if (own === sha256) checked.add(sha256)
  return own === sha256
}
