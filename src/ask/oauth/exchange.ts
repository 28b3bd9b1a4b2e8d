import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { findToken } from '../accounts/model/token-store.ts'
import type { OAuthClient } from './model/client.ts'
import { findStoredClient, markClientUsed } from './model/client-store.ts'
import {
  addTokens,
  findCode,
  findOauthToken,
  lockFamily,
  type OauthToken,
  revokeFamily,
  useCode,
  useRefreshToken,
} from './model/grant-store.ts'
import { type Scope, sharedScopes } from './model/scope.ts'
import { hashOf, makeSecret } from './model/secret.ts'

type Deps = { db: Db; clock: Clock }

/** Tokens that were just made; they are in the result and nowhere else. */
export type Issued = { access: string; refresh: string | undefined; scopes: Scope[] }

/** Why none were made, in the words of RFC 6749, 5.2, and RFC 8707, 2. */
export type NotIssued = {
  error: 'invalid_grant' | 'invalid_scope' | 'invalid_target'
  description: string
}

/** How long an access token is good for, in seconds. */
export const ACCESS_SECONDS = 60 * 60
const ACCESS_MS = ACCESS_SECONDS * 1_000
// A connection that nobody uses for so long ends by itself.
const REFRESH_MS = 60 * 24 * 60 * 60 * 1_000

export type CodeGrant = {
  client: OAuthClient
  code: string
  redirectUri: string
  verifier: string
  resource: string | undefined
}

/**
 * Tokens for a code (RFC 6749, 4.1.3). A code works once: a second use means that somebody else had
 * it too, so it ends every token that came of it (RFC 9700, 4.5).
 */
export async function exchangeCode(
  { db, clock }: Deps,
  { client, code, redirectUri, verifier, resource }: CodeGrant,
): Promise<Issued | NotIssued> {
  const hash = hashOf('code', code)
  if (!hash) return grant('The code is not one of this server.')
  const now = clock.now()
  const tokens = makeTokens()
  return await db.write(async (tx) => {
    const stored = await findCode(tx, hash)
    if (stored?.clientId !== client.id) return grant('The code is unknown, or of another client.')
    await lockFamily(tx, stored.family)
    if (!(await useCode(tx, hash, now))) {
      await revokeFamily(tx, stored.family, now)
      return grant('The code was used before; all tokens that came of it were revoked.')
    }
    if (stored.expiresAt <= now) return grant('The code has expired.')
    if (stored.redirectUri !== redirectUri) return grant('redirect_uri is not that of the request.')
    if (challengeOf(verifier) !== stored.challenge) return grant('code_verifier does not fit.')
    if (stored.resource !== resource) return target(stored.resource)
    return await issue(tx, stored, tokens, now)
  })
}

export type RefreshGrant = {
  client: OAuthClient
  refreshToken: string
  scope: string | undefined
  resource: string | undefined
}

/**
 * New tokens for a refresh token, which works once (RFC 9700, 4.14.2): a second use ends every
 * token of its family, since it is not known which of the two was the client. Without `resource`
 * they are for the address of the old token, which is the only one allowed.
 */
export async function refresh(
  { db, clock }: Deps,
  { client, refreshToken, scope, resource }: RefreshGrant,
): Promise<Issued | NotIssued> {
  const hash = hashOf('refresh', refreshToken)
  if (!hash) return grant('The refresh token is not one of this server.')
  const now = clock.now()
  const tokens = makeTokens()
  return await db.write(async (tx) => {
    const stored = await findOauthToken(tx, hash)
    if (stored?.kind !== 'refresh' || stored.clientId !== client.id) {
      return grant('The refresh token is unknown, or of another client.')
    }
    await lockFamily(tx, stored.family)
    const requestedScopes = scope
      ?.split(' ')
      .filter((name) => name !== '' && name !== 'offline_access')
    const scopes = requestedScopes ? sharedScopes(stored.scopes, requestedScopes) : stored.scopes
    const wrong = wrongRefresh(stored, { resource, asked: requestedScopes, scopes, now })
    // A client's mistake does not use up a token that still works.
    if (wrong && stored.usedAt === null && stored.revokedAt === null) return wrong
    // Of two concurrent requests, one finds the token used.
    if (!(await useRefreshToken(tx, hash, now))) {
      await revokeFamily(tx, stored.family, now)
      return grant('The refresh token was used before or revoked. Sign in again.')
    }
    await markClientUsed(tx, client.id, now)
    // A scope that a client leaves out of one access token can be asked for with the next.
    return await issue(tx, { ...stored, refreshes: true }, tokens, now, scopes)
  })
}

type RefreshRequest = {
  resource: string | undefined
  asked: string[] | undefined
  scopes: Scope[]
  now: number
}

function wrongRefresh(
  stored: OauthToken,
  { resource, asked: requestedScopes, scopes, now }: RefreshRequest,
) {
  if (stored.expiresAt <= now) return grant('The refresh token has expired. Sign in again.')
  if (resource !== undefined && resource !== stored.resource) return target(stored.resource)
  if (requestedScopes && scopes.length < new Set(requestedScopes).size) return wider()
  return undefined
}

type NewTokens = ReturnType<typeof makeTokens>

function makeTokens() {
  return { access: makeSecret('access'), refresh: makeSecret('refresh') }
}

type Granted = Pick<OauthToken, 'tokenId' | 'clientId' | 'family' | 'scopes' | 'resource'> & {
  refreshes: boolean
}

async function issue(
  tx: Tx,
  { refreshes, ...of }: Granted,
  { access, refresh: next }: NewTokens,
  now: number,
  scopes: Scope[] = of.scopes,
): Promise<Issued | NotIssued> {
  const connection = await findToken(tx, of.tokenId)
  if (!connection || connection.revokedAt !== null || connection.offAt !== null) {
    return grant('The connection was revoked. Sign in again.')
  }
  const { tokenId, clientId, family, resource } = of
  const same = { tokenId, clientId, family, resource, usedAt: null, revokedAt: null }
  await addTokens(tx, [
    { ...same, hash: access.hash, kind: 'access', scopes, expiresAt: now + ACCESS_MS },
    ...(refreshes
      ? [
          {
            ...same,
            hash: next.hash,
            kind: 'refresh' as const,
            scopes: of.scopes,
            expiresAt: now + REFRESH_MS,
          },
        ]
      : []),
  ])
  return { access: access.text, refresh: refreshes ? next.text : undefined, scopes }
}

/** S256 of RFC 7636, 4.2; a malformed verifier never matches. */
function challengeOf(verifier: string): string | undefined {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return undefined
  return new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
}

function grant(description: string): NotIssued {
  return { error: 'invalid_grant', description }
}

function target(resource: string): NotIssued {
  return { error: 'invalid_target', description: `resource must be ${resource}.` }
}

function wider(): NotIssued {
  return {
    error: 'invalid_scope',
    description:
      'scope asks for more than was agreed to. Ask for it at the authorization endpoint.',
  }
}

/**
 * The client that sends a form to the token or revocation endpoint (RFC 6749, 2.3): a public one says
 * its id, any other proves it by its secret, in the header or in the form. Undefined without a proof.
 */
export async function clientFrom(
  read: Read,
  request: Request,
  form: URLSearchParams,
): Promise<OAuthClient | undefined> {
  const inHeader = basicOf(request.headers.get('authorization'))
  const id = inHeader?.id ?? form.get('client_id') ?? ''
  // A request that names two clients is refused.
  if (inHeader && form.has('client_id') && form.get('client_id') !== id) return undefined
  const client = id === '' ? undefined : await findStoredClient(read, id)
  if (!client) return undefined
  if (client.authMethod === 'none') return client
  const secret = inHeader?.secret ?? form.get('client_secret') ?? ''
  const hash = hashOf('client', secret)
  return hash !== undefined && hash === client.secretHash ? client : undefined
}

/** Id and secret are form-encoded before they are put together (RFC 6749, 2.3.1). */
function basicOf(header: string | null): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
  } catch {
    return undefined
  }
}
