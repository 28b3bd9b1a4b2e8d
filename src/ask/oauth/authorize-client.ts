import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { type AgentToken, type Connection, hashToken } from '../accounts/model/agent.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import { addToken, findConnection, putConnection } from '../accounts/model/token-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { hostOf } from './model/client.ts'
import { markClientUsed } from './model/client-store.ts'
import { addCode } from './model/grant-store.ts'
import { isOfDomain, placeOf, withoutPort } from './model/redirect-uri.ts'
import type { Scope } from './model/scope.ts'
import { makeSecret } from './model/secret.ts'

type Deps = { db: Db; clock: Clock }

// A client fetches its token at once; the longest that is allowed is 10 minutes (RFC 6749, 4.1.2).
const CODE_MS = 2 * 60 * 1_000
const FAMILY_CHARS = 24

/** The connection of the client that this person allowed, if there is one. */
export function connectionOf(
  { db }: Pick<Deps, 'db'>,
  { client }: AuthorizationRequest,
  { id: personId, workspaceId }: Person,
): Promise<AgentToken | undefined> {
  return findConnection(db.read, { workspaceId, personId, clientId: client.id })
}

/**
 * Returns true if the person agreed to all of this before, so that they need not be asked. Only
 * where the answer goes to the owner of a domain: an address on this machine, or the scheme of an
 * app, may belong to any program that uses the client's name (RFC 8252, 8.6).
 */
export function wasAgreed(
  request: AuthorizationRequest,
  existing: AgentToken | undefined,
): boolean {
  const { connection } = existing ?? {}
  if (!connection || !isOfDomain(request.redirectUri)) return false
  if (connection.agreedTo !== agreement(request)) return false
  return request.scopes.every((scope) => connection.scopes.includes(scope))
}

/**
 * The person allows the client: it becomes an agent of theirs, or stays the one it is.
 * Resolves to the code for its token (RFC 6749, 4.1.2).
 */
export async function authorize(
  { db, clock }: Deps,
  request: AuthorizationRequest,
  person: Person,
  scopes: Scope[],
): Promise<string> {
  const { client, redirectUri, challenge, resource, refreshes } = request
  const now = clock.now()
  const ids = { id: newId('key', now), stamp: auditStamp(now) }
  const code = makeSecret('code')
  const family = randomText(FAMILY_CHARS)
  await db.write(async (tx) => {
    const tokenId = await connect(tx, { request, person, scopes, now, ...ids })
    await markClientUsed(tx, client.id, now)
    await addCode(tx, {
      hash: code.hash,
      clientId: client.id,
      tokenId,
      family,
      redirectUri,
      challenge,
      scopes,
      resource,
      refreshes,
      expiresAt: now + CODE_MS,
      usedAt: null,
    })
  })
  return code.text
}

type Connecting = {
  request: AuthorizationRequest
  person: Person
  scopes: Scope[]
  now: number
  id: TokenId
  stamp: ReturnType<typeof auditStamp>
}

async function connect(tx: Tx, of: Connecting): Promise<TokenId> {
  const { request, person, scopes, now, id, stamp } = of
  const { client, redirectUri } = request
  const { workspaceId, id: personId } = person
  await tx.lock(`connection of ${personId}`)
  const existing = await findConnection(tx, { workspaceId, personId, clientId: client.id })
  const returnsTo = placeOf(withoutPort(redirectUri) ?? redirectUri)
  const host = hostOf(client)
  const connection: Connection = { host, returnsTo, scopes, agreedTo: agreement(request) }
  const isSame = existing && JSON.stringify(existing.connection) === JSON.stringify(connection)
  if (!isSame) {
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'token.connected',
      personId,
      subjectId: existing?.id ?? id,
      subjectName: client.name,
      detail: `${host ?? returnsTo}: ${scopes.join(', ')}`,
    })
  }
  if (existing) {
    if (!isSame) await putConnection(tx, existing.id, { name: client.name, connection })
    return existing.id
  }
  await addToken(tx, {
    id,
    workspaceId,
    name: client.name,
    // No token has this hash: the client signs in with tokens of its own.
    hash: `connection ${id}`,
    tail: '',
    test: false,
    createdAt: now,
    createdBy: personId,
    clientId: client.id,
    connection,
  })
  return id
}

/**
 * Returns the text that the consent is for: a client that changes its name or address asks again.
 */
function agreement({ client, redirectUri }: AuthorizationRequest): string {
  return hashToken(JSON.stringify([client.name, withoutPort(redirectUri) ?? redirectUri]))
}
