/** The permissions of a connected client, as it asks for them in `scope` (RFC 6749, 3.3). */
export const SCOPES = ['ask', 'propose_scope'] as const
export type Scope = (typeof SCOPES)[number]

/** Asks for refresh tokens (OpenID Connect Core, 11); it gives no permission. */
export const OFFLINE = 'offline_access'

/** The scope that a tool needs. */
export function scopeOf(tool: string): Scope {
  return tool === 'propose_scope' ? 'propose_scope' : 'ask'
}

/**
 * The known scopes of a request, in our order. Names of other servers are left out, since clients
 * send lists of their own. A request without a scope gets all to choose from; one that names only
 * scopes of others gets `ask`, and can ask for more (RFC 6749, 3.3).
 */
export function readScopes(text: string | undefined): Scope[] {
  const names = new Set(text?.split(' ').filter((name) => name !== '' && name !== OFFLINE))
  if (names.size === 0) return [...SCOPES]
  const scopes = SCOPES.filter((scope) => names.has(scope))
  return scopes.length > 0 ? scopes : ['ask']
}

/** Those of `scopes` that are also in `others`. */
export function sharedScopes(scopes: readonly Scope[], others: readonly string[]): Scope[] {
  return scopes.filter((scope) => others.includes(scope))
}
