import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { IdleTimer } from '../../platform/mcp/dispatcher.ts'
import { type Refusal, refusal, refusalOf } from '../../platform/mcp/errors.ts'
import { refusalReply } from '../../platform/mcp/message.ts'
import type { Agent } from '../accounts/model/agent.ts'

/** The dependencies of an MCP address that requires a sign-in. */
export type SignInMcp = {
  path: string
  /** Accepts the tokens of other MCP addresses, and those of clients that signed in. */
  agentFrom(request: Request): Promise<Agent>
  /**
   * `WWW-Authenticate` of a refusal; with `error` for a token that is not valid or may not do it.
   */
  challenge(why?: { error?: string; scopes?: readonly string[] }): string
  /** The scope that a tool needs. */
  scopeOf(tool: string): string
}

type Answer = (request: Request, server?: IdleTimer) => Promise<Response>

/**
 * The address behind a sign-in. Every request without a valid token gets 401 with the challenge,
 * whatever its method, and even the handshake: clients assume that a server which answers a
 * handshake to anybody has no sign-in.
 */
export function behindSignIn({ agentFrom, challenge }: SignInMcp, answer: Answer): Answer {
  return async (request, server) => {
    const refused = await agentFrom(request).then(() => undefined, asRefusal)
    const response = refused ? refusalReply(undefined, refused) : await answer(request, server)
    if (response.status === 401) {
      const error = request.headers.has('authorization') ? { error: 'invalid_token' } : {}
      response.headers.set('www-authenticate', challenge(error))
    }
    return response
  }
}

function asRefusal(raw: unknown): Refusal {
  const thrown = storageFailure(raw)
  if (thrown instanceof Failure) return refusalOf(thrown)
  throw thrown
}

/** Why an agent may not call a tool; undefined if it may (RFC 6750, 3.1). */
export function scopeRefusal(
  { challenge, scopeOf }: SignInMcp,
  { scopes }: Agent,
  tool: string,
): Refusal | undefined {
  const needed = scopeOf(tool)
  if (!scopes || scopes.includes(needed)) return undefined
  const sentence = `This client was not allowed to call ${tool}. It needs the scope ${needed}: sign in again and allow it.`
  return {
    ...refusal(403, 403, sentence, { code: 'forbidden' }),
    headers: {
      'www-authenticate': challenge({ error: 'insufficient_scope', scopes: [...scopes, needed] }),
    },
  }
}
