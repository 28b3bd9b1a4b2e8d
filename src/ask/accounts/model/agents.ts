import type { Clock } from '../../../platform/clock.ts'
import { createTtlCache } from '../../../platform/db/change-bus.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import { type Agent, hashToken, looksLikeToken } from './agent.ts'
import { type ClientNames, createClientNames } from './client-names.ts'
import type { TokenId } from './ids.ts'
import { findTokenByHash, listEndedSince, markUsed } from './token-store.ts'

/** Why a token is not accepted. */
type TokenRefusal = 'wrong' | 'revoked' | 'off'

/** Finds the agent behind a token. Results are cached for at most a second. */
export type Agents = Disposable & {
  /** Calls that are held open; they end when their token is revoked. */
  held: HeldTokens
  /** The names that tool clients gave themselves. */
  clientNames: ClientNames
  /** The agent that `token` speaks for, or why it is refused. */
  find(token: string): Promise<Agent | TokenRefusal>
  /**
   * Records, about once a minute and in the background, that the agent was here; only then it asks
   * `from` where it came from.
   */
  used(agent: Agent, from: () => Whence): void
}

type Whence = { address: string | undefined; client: string | undefined }

// "Last used" is shown to people: one write a minute is exact enough.
const USED_EVERY_MS = 60_000
const CLIENT_MAX = 100

export function createAgents({ db, clock }: { db: Db; clock: Clock }): Agents {
  const held = createHeldTokens({ db, clock })
  const clientNames = createClientNames({ db, clock })
  const usedAt = new Map<TokenId, number>()
  // Wrong tokens are not cached: anybody can send any number of them.
  const tokens = createTtlCache(
    { changes: db.changes, clock },
    'token',
    (hash) => findTokenByHash(db.read, hash),
    (token) => token !== undefined,
  )

  return {
    held,
    clientNames,
    async find(token) {
      if (!looksLikeToken(token)) return 'wrong'
      const agentToken = await tokens.of(hashToken(token))
      if (!agentToken) return 'wrong'
      if (agentToken.revokedAt !== null) return 'revoked'
      if (agentToken.offAt !== null) return 'off'
      const { id, name, workspaceId, test } = agentToken
      return { tokenId: id, tokenName: name, workspaceId, test }
    },
    used({ tokenId }, from) {
      const at = clock.now()
      if (at - (usedAt.get(tokenId) ?? 0) < USED_EVERY_MS) return
      usedAt.set(tokenId, at)
      const { address, client } = from()
      const use = { at, from: address, client: client && cutText(cleanLine(client), CLIENT_MAX) }
      // If this write fails, the next one follows a minute later.
      db.write((tx) => markUsed(tx, tokenId, use, at - USED_EVERY_MS + 1)).catch(() => {})
    },
    [Symbol.dispose]() {
      held[Symbol.dispose]()
      clientNames[Symbol.dispose]()
      tokens[Symbol.dispose]()
    },
  }
}

/** Why a token is no longer accepted, for whoever has it. */
export const TOKEN_ENDED = {
  revoked: 'This token was revoked. Create a new one under Settings or with "beckon key create".',
  off: 'The owner of this token was switched off, or became an auditor. Ask an owner of the workspace to change that, or to hand the token over.',
}

/** A call that is held open for a token. */
export type Holder = {
  /** The token was revoked, or switched off: answer at once with `why` and free what the call holds. */
  cut(why: Failure): void
}

/** The calls that are held open; revoking a token ends its calls. */
export type HeldTokens = Disposable & {
  add(tokenId: TokenId, holder: Holder): void
  remove(tokenId: TokenId, holder: Holder): void
}

// A command in another process sends no change event here, so the database is read while calls are
// held.
const LOOK_EVERY_MS = 1_000
// Each read goes back further than the last one, in case a clock was set or a read failed.
const LOOK_BACK_MS = 60_000

export function createHeldTokens({ db, clock }: { db: Db; clock: Clock }): HeldTokens {
  // One token may hold thousands of calls, so it is watched once.
  const byToken = new Map<TokenId, Set<Holder>>()
  let stopLooking: (() => void) | undefined

  async function refreshUse() {
    if (byToken.size === 0) return
    const since = clock.now() - LOOK_BACK_MS
    // A read that fails is repeated a second later.
    const ended = await listEndedSince(db.read, since).catch(() => [])
    for (const { id, why } of ended) {
      for (const holder of [...(byToken.get(id) ?? [])]) {
        holder.cut(new Failure('unauthenticated', TOKEN_ENDED[why]))
      }
    }
  }

  function keepLooking() {
    stopLooking = clock.after(LOOK_EVERY_MS, () => {
      stopLooking = undefined
      if (byToken.size === 0) return
      keepLooking()
      void refreshUse()
    })
  }

  const stopListening = [
    db.changes.on('token', undefined, () => void refreshUse()),
    db.changes.onMissed(() => void refreshUse()),
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
 * Does `work` for a token; rejects with `unauthenticated` as soon as the token is revoked. The
 * signal of the work aborts then, and when `hungUp` does.
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
