import { type AnyElysia, Elysia } from 'elysia'
import type { JWTPayload } from 'jose'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { createBucket } from '../../platform/http/limits.ts'
import { readText } from '../../platform/http/request.ts'
import type { Log } from '../../platform/log.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { findIdentity } from '../accounts/model/identity-store.ts'
import { endSignIns, listProvenSignIns } from '../accounts/model/sign-in-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { afterSignOut } from '../sign-in/after-sign-out.ts'
import { takeLogoutId } from './model/flow-store.ts'
import type { Provider } from './model/provider.ts'
import type { ProviderDocuments } from './provider-documents.ts'
import { ProviderFailure } from './provider-failure.ts'
import { readProvider } from './providers.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'company'>
  documents: ProviderDocuments
  addressOf(request: Request): string
}

const RATE = { burst: 10, perMinute: 10, sentence: 'Too many logout tokens from this address.' }
const BODY_MAX = 64 * 1024
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TOLERANCE_S = 5 * 60
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']

/** `POST /sign-in/out/:provider`: a provider says that a sign-in of its own has ended. */
export function logOutRoutes(deps: Deps): AnyElysia {
  const calls = createBucket(deps.clock, RATE)
  return new Elysia().post(
    '/sign-in/out/:provider',
    async ({ request, params }) => {
      calls.take(deps.addressOf(request))
      const text = await readText(request)
      if (text.length > BODY_MAX) throw new Failure('too_large', 'A logout token is shorter.')
      const form = new URLSearchParams(text)
      const provider = await readProvider(
        { read: deps.db.read, company: deps.config.company },
        params.provider,
      )
      // Anybody may ask for this, so the log does not hear of it.
      if (!provider) return refused('There is no such provider here.')
      try {
        await endSession(deps, provider, await readToken(deps, provider, form))
        return new Response(null, { status: 200, headers: NO_STORE })
      } catch (error) {
        if (!(error instanceof LogoutError) && !(error instanceof ProviderFailure)) throw error
        deps.log.warn('a logout token was refused', { why: error.message })
        return refused(error.message)
      }
    },
    { parse: 'none' },
  )
}

function refused(why: string): Response {
  const body = { error: 'invalid_request', error_description: why }
  return Response.json(body, { status: 400, headers: NO_STORE })
}

const NO_STORE = { 'cache-control': 'no-store' }

/** A token that is not accepted; the message is for whoever runs the provider. */
class LogoutError extends Error {}

/** Whose sign-in ended: that session, or all of that account. */
type Logout = { sub: string | undefined; sid: string | undefined; jti: string }

/** Checks a logout token (OpenID Connect Back-Channel Logout, 2.6). */
async function readToken(deps: Deps, provider: Provider, form: URLSearchParams): Promise<Logout> {
  const token = form.get('logout_token') ?? ''
  const claims = await verify(deps, provider, token)
  const { sub, sid, jti, nonce, events } = claims as JWTPayload & Record<string, unknown>
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  if (!isLogout) throw new LogoutError('the token has no event of a logout')
  if (nonce !== undefined) throw new LogoutError('the token has a nonce, so it is an id token')
  if (typeof jti !== 'string') throw new LogoutError('the token has no jti')
  const session = typeof sid === 'string' ? sid : undefined
  if (sub === undefined && session === undefined) {
    throw new LogoutError('the token names neither sub nor sid')
  }
  return { sub, sid: session, jti }
}

async function verify(deps: Deps, provider: Provider, token: string): Promise<JWTPayload> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
  const check = async () => {
    const keys = createLocalJWKSet((await deps.documents.keys(provider)) as never)
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_S,
      maxTokenAge: 0,
      currentDate: new Date(deps.clock.now()),
    })
    return payload
  }
  try {
    return await check().catch((error) => {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      if (isUnknown && deps.documents.forgetKeys(provider)) return check()
      throw error
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new LogoutError(error.code)
    throw error
  }
}

async function endSession({ db, clock }: Deps, provider: Provider, of: Logout): Promise<void> {
  const now = clock.now()
  const stamp = auditStamp(now)
  const expiresAt = now + 2 * TOLERANCE_S * 1_000
  await db.write(async (tx) => {
    const id = { provider: provider.id, hash: sha256(of.jti), expiresAt }
    if (!(await takeLogoutId(tx, id, now))) throw new LogoutError('the token came before')
    const account = { provider: provider.id, issuer: provider.issuer, subject: of.sub ?? '' }
    const identity = of.sub === undefined ? undefined : await findIdentity(tx, account)
    // An account that is nobody’s here has no sign-in.
    if (of.sub !== undefined && !identity) return
    const signIns = await listProvenSignIns(tx, {
      provider: provider.id,
      ...(identity && { personId: identity.personId }),
      sid: of.sid,
    })
    const ended = await endSignIns(
      tx,
      signIns.map((one) => one.id),
    )
    for (const personId of new Set(ended.map((one) => one.personId))) {
      await afterSignOut(tx, personId, now)
    }
    if (ended.length === 0) return
    await recordChange(tx, stamp, {
      workspaceId: provider.workspaceId,
      kind: 'sign_in.ended',
      subjectId: identity?.personId ?? ended[0]?.personId ?? null,
      subjectName: identity?.label ?? null,
      detail: `signed out at ${provider.name}`,
    })
  })
}
