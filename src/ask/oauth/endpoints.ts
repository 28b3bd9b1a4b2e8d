import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import { type Bucket, createBucket, networkOf, type Rate } from '../../platform/http/limits.ts'
import { onlySmall, readJson } from '../../platform/http/request.ts'
import type { Log } from '../../platform/log.ts'
import { readForm } from '../../platform/web/form.tsx'
import { revoke as revokeConnection } from '../accounts/model/token-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import {
  ACCESS_SECONDS,
  clientFrom,
  exchangeCode,
  type Issued,
  type NotIssued,
  refresh,
} from './exchange.ts'
import type { OAuthClient } from './model/client.ts'
import { anyLive, findOauthToken, lockFamily, revokeFamily } from './model/grant-store.ts'
import { OFFLINE } from './model/scope.ts'
import { hashOf } from './model/secret.ts'
import { registerClient } from './register-client.ts'

export type EndpointDeps = {
  db: Db
  clock: Clock
  log: Log
  addressOf(request: Request): string
}

/** An endpoint for programs: it answers every method, and never throws. */
export type OauthEndpoint = (request: Request) => Promise<Response>

const RATES = {
  // A person adds a few clients; some clients register again with every connection.
  register: {
    burst: 30,
    perMinute: 10,
    sentence: 'Too many clients were registered from this address.',
  },
  // Codes and tokens cannot be guessed; this keeps a broken client from hammering.
  refused: {
    burst: 60,
    perMinute: 30,
    sentence: 'Too many requests for tokens from this address were refused.',
  },
} as const satisfies Record<string, Rate>

/** Registration, tokens and revocation. */
export function createEndpoints(deps: EndpointDeps) {
  const { db, clock, addressOf } = deps
  const registering = createBucket(clock, RATES.register)
  const refused = createBucket(clock, RATES.refused)
  const count = (bucket: Bucket, request: Request) => bucket.take(networkOf(addressOf(request)))

  /** RFC 7591, 3. */
  async function register(request: Request): Promise<Response> {
    count(registering, request)
    const body = await readJson(request, onlySmall)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return oauthError(400, 'invalid_client_metadata', 'The body must be a JSON object.')
    }
    const registration = await registerClient({ db, clock }, body as Record<string, unknown>)
    if (registration === 'full') {
      const busy =
        'Too many clients are registered that nobody has allowed yet. Try again in an hour.'
      return oauthError(503, 'temporarily_unavailable', busy, { 'retry-after': '3600' })
    }
    if ('error' in registration)
      return oauthError(400, registration.error, registration.description)
    return Response.json(registered(registration.client, registration.secret), {
      status: 201,
      headers: NO_STORE,
    })
  }

  /** Answers a form that a client sends, once it is known which one. */
  const forClient =
    (answer: (client: OAuthClient, form: URLSearchParams, request: Request) => Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      const form = await onlyForm(request)
      if (!form) return IN_THE_ADDRESS()
      const client = await clientFrom(db.read, request, form)
      if (client) return await answer(client, form, request)
      count(refused, request)
      return unknownClient()
    }

  /** RFC 6749, 3.2. */
  const token = forClient(async (client, form, request) => {
    const issued = await issuedFor({ db, clock }, client, form)
    if ('error' in issued) {
      count(refused, request)
      return oauthError(400, issued.error, issued.description)
    }
    return Response.json(tokenReply(issued), { headers: NO_STORE })
  })

  /**
   * RFC 7009: the reply is the same for any token, because the client cannot use it afterwards. With
   * the last of its tokens the connection ends, and with it the calls that it holds.
   */
  const revoke = forClient(async (client, form) => {
    const text = form.get('token') ?? ''
    const hash = hashOf('access', text) ?? hashOf('refresh', text)
    if (hash) await endTokens({ db, clock }, client, hash)
    return new Response(null, { status: 200, headers: NO_STORE })
  })

  return {
    register: guarded(deps.log, register),
    token: guarded(deps.log, token),
    revoke: guarded(deps.log, revoke),
  }
}

/** Ends all tokens of the family; with the last ones also their connection. */
async function endTokens(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  client: OAuthClient,
  hash: string,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  const now = stamp.at
  await db.write(async (tx) => {
    const stored = await findOauthToken(tx, hash)
    if (stored?.clientId !== client.id) return
    await lockFamily(tx, stored.family)
    await revokeFamily(tx, stored.family, now)
    if (await anyLive(tx, stored.tokenId, now)) return
    const ended = await revokeConnection(tx, stored.tokenId, now)
    if (!ended) return
    await recordChange(tx, stamp, {
      workspaceId: ended.workspaceId,
      kind: 'token.revoked',
      tokenId: ended.id,
      subjectId: ended.id,
      subjectName: ended.name,
      detail: 'by the client itself',
    })
  })
}

/** The tokens issued for the form's code or refresh token, or the reason for a refusal. */
async function issuedFor(
  deps: Pick<EndpointDeps, 'db' | 'clock'>,
  client: OAuthClient,
  form: URLSearchParams,
): Promise<Issued | Refused> {
  const field = (name: string) => form.get(name) ?? ''
  const resources = form.getAll('resource')
  if (resources.length > 1) return { error: 'invalid_target', description: 'One resource only.' }
  const [resource] = resources
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return await exchangeCode(deps, {
        client,
        code: field('code'),
        redirectUri: field('redirect_uri'),
        verifier: field('code_verifier'),
        resource,
      })
    case 'refresh_token':
      return await refresh(deps, {
        client,
        refreshToken: field('refresh_token'),
        scope: form.get('scope') ?? undefined,
        resource,
      })
    default:
      return {
        error: 'unsupported_grant_type',
        description: 'grant_type must be authorization_code or refresh_token.',
      }
  }
}

type Refused = NotIssued | { error: 'unsupported_grant_type'; description: string }

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Errors as OAuth writes them (RFC 6749, 5.2), also those of the request itself. */
function guarded(log: Log, answer: OauthEndpoint): OauthEndpoint {
  return async (request) => {
    if (request.method !== 'POST') {
      return oauthError(405, 'invalid_request', 'This address only accepts POST.', {
        allow: 'POST',
      })
    }
    try {
      return await answer(request)
    } catch (raw) {
      const thrown = storageFailure(raw)
      if (!(thrown instanceof Failure)) log.error('a sign-in of a client failed', { error: thrown })
      const failure =
        thrown instanceof Failure
          ? thrown
          : new Failure('internal', 'Something went wrong on the server; its log says what.')
      const { status, message, retryAfter } = failure
      const error = status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request'
      const later = retryAfter === undefined ? {} : { 'retry-after': `${Math.ceil(retryAfter)}` }
      return oauthError(status, error, message, later)
    }
  }
}

/**
 * The form; undefined if any of it is in the address, because logs and histories keep addresses.
 */
async function onlyForm(request: Request): Promise<URLSearchParams | undefined> {
  return new URL(request.url).search === '' ? await readForm(request) : undefined
}

const IN_THE_ADDRESS = () =>
  oauthError(400, 'invalid_request', 'Send everything in the body, nothing in the address.')

function unknownClient(): Response {
  const description = 'The client is unknown, or its secret is wrong. Register again.'
  return oauthError(401, 'invalid_client', description, {
    'www-authenticate': 'Basic realm="Beckon"',
  })
}

function oauthError(
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Response {
  const body = { error, error_description: description }
  return Response.json(body, { status, headers: { ...NO_STORE, ...headers } })
}

function tokenReply({ access, refresh: next, scopes }: Issued): object {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    ...(next === undefined ? {} : { refresh_token: next }),
    scope: [...scopes, ...(next === undefined ? [] : [OFFLINE])].join(' '),
  }
}

/** Builds the registration of a client (RFC 7591, 3.2.1). */
function registered(client: OAuthClient, secret: string | undefined): object {
  const { id, name, redirectUris, authMethod, refreshes, createdAt } = client
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt / 1_000),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
    grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
    response_types: ['code'],
  }
}
