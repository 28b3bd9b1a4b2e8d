import type { Clock } from '../../platform/clock.ts'
import { createTtlCache } from '../../platform/db/change-bus.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Agent } from '../accounts/model/agent.ts'
import type { Agents } from '../accounts/model/agents.ts'
import { findToken } from '../accounts/model/token-store.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import { findOauthToken } from './model/grant-store.ts'
import { resourceOf } from './model/issuer.ts'
import { sharedScopes } from './model/scope.ts'
import { hashOf } from './model/secret.ts'

type Deps = {
  db: Db
  clock: Clock
  baseUrl: string
  limits: Pick<Limits, 'wrongToken'>
  agents: Pick<Agents, 'used'>
  authentication: Pick<Authentication, 'agentFrom'>
  addressOf(request: Request): string
}

/** Finds who calls at the MCP address that asks for a sign-in. */
export type ConnectedAgents = Disposable & {
  /**
   * The agent behind the request: a client that signed in, or one with an agent token. Throws
   * `unauthenticated` and `rate_limited`.
   */
  agentFrom(request: Request): Promise<Agent>
}

type ConnectedAgent = { agent: Agent; expiresAt: number }

/** Finds the agents of access tokens. Results are cached for at most a second. */
export function createConnectedAgents(deps: Deps): ConnectedAgents {
  const { db, clock, limits, agents, authentication, addressOf } = deps
  const resource = resourceOf(deps.baseUrl)
  const cache = createTtlCache(
    { changes: db.changes, clock },
    'token',
    find,
    (entry) => entry !== undefined,
  )

  async function find(hash: string): Promise<ConnectedAgent | undefined> {
    const token = await findOauthToken(db.read, hash)
    // Compared for equality, not membership (RFC 8707, 2): a token for another address, or for an
    // earlier name of this server, is refused.
    if (token?.kind !== 'access' || token.revokedAt !== null || token.resource !== resource) {
      return undefined
    }
    const of = await findToken(db.read, token.tokenId)
    if (!of?.connection || of.revokedAt !== null || of.offAt !== null) return undefined
    const { id: tokenId, name: tokenName, workspaceId, test } = of
    // A permission that the person has withdrawn stops counting at once.
    const scopes = sharedScopes(token.scopes, of.connection.scopes)
    return { agent: { tokenId, tokenName, workspaceId, test, scopes }, expiresAt: token.expiresAt }
  }

  return {
    async agentFrom(request) {
      const text = /^Bearer +(bkat_\w+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      if (!text) return await authentication.agentFrom(request)
      const hash = hashOf('access', text)
      const entry = hash && (await cache.of(hash))
      if (!entry || entry.expiresAt <= clock.now()) {
        limits.wrongToken.take(addressOf(request))
        throw new Failure('unauthenticated', NOT_VALID)
      }
      agents.used(entry.agent, () => ({
        address: addressOf(request),
        client: request.headers.get('user-agent') ?? undefined,
      }))
      return entry.agent
    },
    [Symbol.dispose]: () => cache[Symbol.dispose](),
  }
}

const NOT_VALID =
  'This access token is not valid here: it has expired, was revoked, or is for another address. Sign in again.'
