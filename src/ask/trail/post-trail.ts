import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { loadServerKey } from '../../platform/db/server-key.ts'
import { putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { Failure } from '../../platform/failure.ts'
import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { VERSION } from '../../platform/program.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { signText } from '../../platform/signing/ed25519.ts'
import type { StoredSeal } from '../audit/model/seal.ts'
import { listSeals } from '../audit/model/seal-store.ts'
import { linkLines } from './trail-file.ts'

export type PostDeps = {
  db: Db
  clock: Clock
  /** Names this process: if several share a database, one of them posts. */
  holder: string
  fetch: GuardedFetch['fetch']
  /** Where every link of the trail goes, with its rows (BECKON_AUDIT_URL). */
  url: string
}

const LEASE = 'post-audit'
const LEASE_MS = 2 * 60_000
/** The last link that was accepted. */
const POSTED = 'audit_posted'
const LOOK_EVERY_MS = 10_000
const WAIT_MAX_MS = 60 * 60_000
const ANSWER_MS = 30_000
const LINKS_AT_ONCE = 10

/**
 * Posts the links that were not accepted yet, one by one in their order, each with the rows and facts that it
 * seals: the lines of `beckon audit export`. Resolves to how many were accepted. Throws `unavailable`
 * at the first that was not; it is sent again, under the same id.
 */
export async function postTrail(deps: PostDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, holder } = deps
  let posted = 0
  while (!signal?.aborted) {
    const after = Number((await readSetting(db.read, POSTED)) ?? 0)
    const links = await listSeals(db.read, after, LINKS_AT_ONCE)
    if (links.length === 0) break
    for (const link of links) {
      const now = clock.now()
      const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
      if (!(await db.write((tx) => takeLease(tx, lease)))) return posted
      requireAccepted(deps.url, link, await post(deps, link, signal))
      await db.write((tx) => putSetting(tx, POSTED, String(link.seq), now))
      posted++
    }
  }
  return posted
}

/**
 * Signed in the public-key format of Standard Webhooks (`v1a`), with the key of receipts and seals.
 */
async function post(deps: PostDeps, link: StoredSeal, signal?: AbortSignal): Promise<Fetched> {
  const { db, clock, fetch, url } = deps
  const body = (await Array.fromAsync(linkLines(db.read, link))).join('')
  const id = `audit_${link.seq}`
  const seconds = String(Math.floor(clock.now() / 1_000))
  const signature = signText(await loadServerKey({ db, clock }), `${id}.${seconds}.${body}`)
  return await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-ndjson',
      'User-Agent': `Beckon/${VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1a,${signature}`,
    },
    body,
    timeoutMs: ANSWER_MS,
    maxBytes: 4_096,
    ...(signal ? { signal } : {}),
  })
}

function requireAccepted(url: string, { seq }: StoredSeal, fetched: Fetched): void {
  if (fetched.outcome === 'answered' && fetched.status >= 200 && fetched.status < 300) return
  const why = fetched.outcome === 'answered' ? `It answers ${fetched.status}.` : fetched.reason
  throw new Failure(
    'unavailable',
    `Link ${seq} of the audit trail was not accepted by ${URL.parse(url)?.host ?? url}; it is sent again. ${why}`,
  )
}

/**
 * Posts what is sealed every ten seconds, until disposed. After a failure, which `report` is called
 * with, it waits, from ten seconds to an hour.
 */
export function keepPosting(deps: PostDeps, report: (error: unknown) => void): AsyncDisposable {
  const { clock, db, holder } = deps
  const closing = new AbortController()
  let failures = 0
  let waitUntil = 0
  const work = async () => {
    if (clock.now() < waitUntil) return
    try {
      await postTrail(deps, closing.signal)
      failures = 0
    } catch (error) {
      if (closing.signal.aborted) return
      waitUntil = clock.now() + Math.min(LOOK_EVERY_MS * 2 ** failures++, WAIT_MAX_MS)
      throw error
    }
  }
  const loop = repeatEvery(clock, LOOK_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(db, LEASE, holder)
    },
  }
}
