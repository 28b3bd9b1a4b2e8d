import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TokenId } from '../kernel/ids.ts'
import { cleanLine, cutText } from '../kernel/text.ts'
import type { Agent } from './agent.ts'
import { type AgentToken, hashToken, looksLikeToken } from './agent-token.ts'
import { findTokenByHash, markUsed } from './token-store.ts'

/** Why a token opens nothing. */
export type TokenRefusal = 'wrong' | 'revoked'

/** Who stands behind the tokens of agents; what is known is at most a second old. */
export type Agents = Disposable & {
  /** The agent that `token` speaks for, or why it is refused. */
  find(token: string): Promise<Agent | TokenRefusal>
  /** Remembers, about once a minute and in the background, that the agent was here. */
  used(agent: Agent, from: { address: string | undefined; client: string | undefined }): void
}

// A revocation by another process takes effect within this time; one by ours at once.
const KNOWN_FOR_MS = 1_000
// Bounds what many tokens can make the server remember.
const KNOWN_MAX = 1_000
// "Last used" is for people: a write a minute is exact enough.
const USED_EVERY_MS = 60_000
const CLIENT_MAX = 100

type Known = { readAt: number; token: Promise<AgentToken | undefined> }

export function createAgents({ db, clock }: { db: Db; clock: Clock }): Agents {
  const known = new Map<string, Known>()
  const usedAt = new Map<TokenId, number>()
  const forget = () => known.clear()
  const stopListening = [db.bell.on('token', undefined, forget), db.bell.onGap(forget)]

  function read(hash: string): Promise<AgentToken | undefined> {
    const fresh = known.get(hash)
    if (fresh && clock.now() - fresh.readAt < KNOWN_FOR_MS) return fresh.token
    if (known.size >= KNOWN_MAX) known.clear()
    const entry = { readAt: clock.now(), token: findTokenByHash(db.read, hash) }
    known.set(hash, entry)
    // A wrong token or a failed read is not worth remembering.
    const drop = () => known.get(hash) === entry && known.delete(hash)
    entry.token.then((token) => token ?? drop(), drop)
    return entry.token
  }

  return {
    async find(token) {
      if (!looksLikeToken(token)) return 'wrong'
      const found = await read(hashToken(token))
      if (!found) return 'wrong'
      if (found.revokedAt !== null) return 'revoked'
      const { id, name, workspaceId, test } = found
      return { tokenId: id, tokenName: name, workspaceId, test }
    },
    used({ tokenId }, { address, client }) {
      const at = clock.now()
      if (at - (usedAt.get(tokenId) ?? 0) < USED_EVERY_MS) return
      usedAt.set(tokenId, at)
      const use = { at, from: address, client: client && cutText(cleanLine(client), CLIENT_MAX) }
      // A write that is refused now is tried again a minute later.
      db.write((tx) => markUsed(tx, tokenId, use, at - USED_EVERY_MS + 1)).catch(() => {})
    },
    [Symbol.dispose]() {
      for (const stop of stopListening) stop()
    },
  }
}
