import type { Clock } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { canonicalJson } from '../publishing/canonical.ts'
import type { LiveBySlug } from '../records/live.ts'
import { readLive } from './read-live.ts'

/**
 * Reads what was measured, and gives the very same map as before while nothing in it differs: what
 * is built of it stays as it is, to the byte.
 */
export function liveReader(deps: { db: { read: Read }; clock: Clock }): () => Promise<LiveBySlug> {
  let known: LiveBySlug = new Map()
  return async () => {
    const next = await readLive(deps.db.read, deps.clock.now())
    if (!(await isSame(known, next))) known = next
    return known
  }
}

async function isSame(a: LiveBySlug, b: LiveBySlug): Promise<boolean> {
  if (a.size !== b.size) return false
  for (const [slug, live] of b) {
    const before = a.get(slug)
    if (!before || canonicalJson(before) !== canonicalJson(live)) return false
    await Bun.sleep(0)
  }
  return true
}
