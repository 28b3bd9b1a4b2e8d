import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { createTtlCache } from '../../platform/db/ttl-cache.ts'
import type { TokenId } from '../../platform/ids.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Agent, hashToken, looksLikeToken } from './model/agent.ts'
import { type ClientNames, createClientNames } from './model/client-names.ts'
import { createHeldTokens, type HeldTokens } from './model/held-tokens.ts'
import { findTokenByHash, markUsed } from './model/token-store.ts'

/** Why a token is not accepted. */
type TokenRefusal = 'wrong' | 'revoked'

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
      const found = await tokens.of(hashToken(token))
      if (!found) return 'wrong'
      if (found.revokedAt !== null) return 'revoked'
      const { id, name, workspaceId, test } = found
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
