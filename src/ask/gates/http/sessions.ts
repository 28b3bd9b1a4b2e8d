import { sha256 } from '../../../platform/signing/sha256.ts'
import type { Agent } from '../../accounts/model/agent.ts'
import { deleteListing } from '../model/listing-store.ts'
import type { Upstream } from '../model/upstream.ts'
import { GateSession, type SessionDeps } from './session.ts'

// What a client was listed is in the database as well.
const SESSIONS_MAX = 2_000
const IDLE_MS = 24 * 60 * 60_000

/** The sessions of all gates, by token, server and the id that the server gave. */
export class GateSessions {
  /** The one used last is the last. */
  readonly #byKey = new Map<string, GateSession>()
  readonly #deps: SessionDeps

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  of(agent: Agent, upstream: Upstream, sessionId: string | null): GateSession {
    const key = keyOf(agent, upstream, sessionId)
    const session = this.#byKey.get(key) ?? new GateSession(this.#deps, agent, upstream, key)
    this.#byKey.delete(key)
    this.#byKey.set(key, session)
    this.#forgetSome()
    return session
  }

  forget(agent: Agent, upstream: Upstream, sessionId: string): void {
    const key = keyOf(agent, upstream, sessionId)
    if (this.#byKey.get(key)?.isIdle) this.#byKey.delete(key)
    void this.#deps.db.write((tx) => deleteListing(tx, key)).catch(() => {})
  }

  close(): void {
    for (const session of this.#byKey.values()) session.close()
  }

  #forgetSome(): void {
    const now = this.#deps.clock.now()
    for (const [key, session] of this.#byKey) {
      const isOld = now - session.usedAt > IDLE_MS || this.#byKey.size > SESSIONS_MAX
      if (!isOld) return
      if (session.isIdle) this.#byKey.delete(key)
    }
  }
}

function keyOf({ tokenId }: Agent, { name, changedAt }: Upstream, sessionId: string | null) {
  return sha256(JSON.stringify([tokenId, name, changedAt, sessionId]))
}
