import type { Db } from '../../../platform/db/database.ts'
import { markSignInUsed } from './sign-in-store.ts'

// "Last used" is shown to people, and each write is one that others wait for.
const USED_EVERY_MS = 10 * 60_000
const KNOWN_MAX = 10_000

/** Records in the background, about every ten minutes, that a sign-in is used. */
export function createSignInUse(db: Db) {
  const usedAt = new Map<string, number>()
  return {
    now({ id, updatedAt }: { id: string; updatedAt: Date }, at: number): void {
      const before = at - USED_EVERY_MS
      if (Math.max(updatedAt.getTime(), usedAt.get(id) ?? 0) >= before) return
      if (usedAt.size >= KNOWN_MAX) usedAt.clear()
      usedAt.set(id, at)
      // If this write fails, the next one follows ten minutes later.
      db.write((tx) => markSignInUsed(tx, id, { at, before })).catch(() => {})
    },
  }
}
