import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { TokenId } from '../../../platform/ids.ts'
import { listRevokedSince } from './token-store.ts'

export const TOKEN_REVOKED =
  'This token was revoked. Create a new one under Settings or with "beckon key create".'

/** A call that is held open in the name of a token. */
export type Holder = {
  /** Its token has ended: it is answered at once with `why`, and frees what it holds. */
  cut(why: Failure): void
}

/** The calls that are held; a token that is revoked ends its own. */
export type HeldTokens = Disposable & {
  add(tokenId: TokenId, holder: Holder): void
  remove(tokenId: TokenId, holder: Holder): void
}

// A command in another process rings no bell here: a look at what it did, while calls are held.
const LOOK_EVERY_MS = 1_000
// Each look goes back further than the last one, for clocks that are set and looks that fail.
const LOOK_BACK_MS = 60_000

export function createHeldTokens({ db, clock }: { db: Db; clock: Clock }): HeldTokens {
  // Thousands may be held by one token, so it is watched once and not once for each.
  const byToken = new Map<TokenId, Set<Holder>>()
  let stopLooking: (() => void) | undefined

  async function look() {
    if (byToken.size === 0) return
    const since = clock.now() - LOOK_BACK_MS
    // A look that fails is made again a second later.
    const revoked = await listRevokedSince(db.read, since).catch(() => [])
    for (const id of revoked) {
      for (const holder of [...(byToken.get(id) ?? [])]) {
        holder.cut(new Failure('unauthenticated', TOKEN_REVOKED))
      }
    }
  }

  function keepLooking() {
    stopLooking = clock.after(LOOK_EVERY_MS, () => {
      stopLooking = undefined
      if (byToken.size === 0) return
      keepLooking()
      void look()
    })
  }

  const stopListening = [
    db.changes.on('token', undefined, () => void look()),
    db.changes.onMissed(() => void look()),
  ]
  return {
    add(tokenId, holder) {
      const holders = byToken.get(tokenId)
      if (holders) holders.add(holder)
      else byToken.set(tokenId, new Set([holder]))
      if (!stopLooking) keepLooking()
    },
    remove(tokenId, holder) {
      const holders = byToken.get(tokenId)
      holders?.delete(holder)
      if (holders?.size === 0) byToken.delete(tokenId)
    },
    [Symbol.dispose]() {
      stopLooking?.()
      for (const stop of stopListening) stop()
    },
  }
}

/**
 * Does `work` in the name of a token; rejects with `unauthenticated` at once when that is revoked
 * meanwhile. The work's signal aborts then, and when `hungUp` does.
 */
export async function whileValid<T>(
  held: HeldTokens,
  tokenId: TokenId,
  hungUp: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cut = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const holder: Holder = {
    cut(why) {
      reject(why)
      cut.abort()
    },
  }
  held.add(tokenId, holder)
  try {
    return await Promise.race([ended, work(AbortSignal.any([hungUp, cut.signal]))])
  } finally {
    held.remove(tokenId, holder)
  }
}
