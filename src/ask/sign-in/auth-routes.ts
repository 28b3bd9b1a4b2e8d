import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { systemClock } from '../../platform/clock.ts'
import { Failure, type FailureCode, wrongFields } from '../../platform/failure.ts'
import { problemResponse } from '../../platform/http/errors.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { readOptionalJson } from '../../platform/http/request.ts'
import { shape } from '../../platform/schema.ts'
import { mustBeProven, type Person } from '../accounts/model/person.ts'
import { cleanEmail, wrongPassword } from '../accounts/model/person-rules.ts'
import { type Authentication, mayAddPasskey } from './authentication.ts'
import { ownFailure } from './sign-in-failure.ts'
import { recordSignIn, TRAIL, whoOf } from './sign-in-trail.ts'

const AUTH_PATH = '/api/auth'

/** Requests that store a challenge, whoever sends them. */
const CHALLENGES: ReadonlySet<string> = new Set([
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
])

/** The routes of better-auth that are open; all others answer 404. */
export const GET_PATHS: ReadonlySet<string> = new Set([
  '/get-session',
  ...CHALLENGES,
  '/passkey/list-user-passkeys',
])
export const POST_PATHS: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-out',
  '/change-password',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
])
/** Only for signed-in people: the body is not read for anybody else. */
const SIGNED_IN = new Set([
  '/change-password',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
])
/** Requests that change how somebody proves later who they are. */
const CHANGES_WAYS_IN = new Set([
  '/change-password',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
])
/** Requests that add a passkey, which proves later who somebody is. */
const ADDS_PASSKEY = new Set(['/passkey/generate-register-options', '/passkey/verify-registration'])
/** Requests that end in a new sign-in. */
const SIGNS_IN = new Set(['/sign-in/email', '/passkey/verify-authentication', '/change-password'])
/** Requests that sign in with a secret of this server. */
const LOCAL = new Set(['/sign-in/email', '/passkey/verify-authentication'])
/** Requests that can be used to guess secrets. */
const GUESSED = new Set(['/sign-in/email', '/passkey/verify-authentication', '/change-password'])

type Deps = {
  authentication: Authentication
  limits: Limits
  addressOf(request: Request): string
  /** Where sign-ins are recorded. */
  trail: Parameters<typeof recordSignIn>[0]
}

/**
 * better-auth under `/api/auth/`, and the renewed cookies of every signed-in request. Mount it
 * before the other routes.
 */
export function authRoutes({ authentication, limits, addressOf, trail }: Deps) {
  async function answer(request: Request, open: ReadonlySet<string>): Promise<Response> {
    const path = new URL(request.url).pathname.slice(AUTH_PATH.length)
    if (!open.has(path)) throw new Failure('not_found', 'There is nothing at this address.')
    if (request.method !== 'GET' && !authentication.sameOrigin(request)) throw foreign()
    if (CHALLENGES.has(path)) limits.challenge.take(addressOf(request))
    if (GUESSED.has(path)) await limits.signIn.take(addressOf(request))
    if (SIGNED_IN.has(path)) await refuseUnproven(authentication, request, path)
    if (ADDS_PASSKEY.has(path)) await refuseOld(authentication, request)
    if (LOCAL.has(path)) await authentication.refuseLocal()
    const { passed, body } = await checked(request, path)
    if (path === '/sign-in/email') await limits.account.take(accountIn(body))
    const auth = await authentication.better()
    const person = TRAIL[path] && (await authentication.personFrom(request))
    if (path === '/change-password' && person) {
      await limits.account.take(person.email)
      refuseGuessed(body.newPassword, person)
    }
    const handle = () => auth.handler(passed)
    try {
      const response = SIGNS_IN.has(path)
        ? await authentication.anew(request, handle, ({ headers }) => headers, {
            keepsProof: path === '/change-password',
          })
        : await handle()
      if (LOCAL.has(path) && response.ok) await authentication.refuseEntry(response.headers)
      const event = response.ok ? TRAIL[path]?.done : TRAIL[path]?.refused
      const who = event && (await whoOf(person?.id, body, response))
      if (event && who) await recordSignIn(trail, { ...event, who, from: addressOf(request) })
      return asProblem(response)
    } catch (error) {
      throw ownFailure(error)
    }
  }

  return new Elysia({ name: 'auth' })
    .onAfterHandle({ as: 'global' }, ({ request, response }) => {
      if (!(response instanceof Response)) return
      // A sign-in that began or ended during the request takes precedence over the one that the
      // request came with.
      const set = new Set(response.headers.getSetCookie().map(cookieName))
      for (const cookie of authentication.renewedCookies(request)) {
        if (!set.has(cookieName(cookie))) response.headers.append('set-cookie', cookie)
      }
    })
    .get(`${AUTH_PATH}/*`, ({ request }) => answer(request, GET_PATHS))
    .post(`${AUTH_PATH}/*`, ({ request }) => answer(request, POST_PATHS), { parse: 'none' })
}

/**
 * Whoever took over an open browser, or a code on its screen, must not add a passkey of their own:
 * it would prove that they are this person. Throws `forbidden`.
 */
/** Throws unless somebody is signed in, and proven where a way in is changed. */
async function refuseUnproven(
  authentication: Authentication,
  request: Request,
  path: string,
): Promise<void> {
  const person = await authentication.personFrom(request)
  if (!person) throw nobody()
  if (CHANGES_WAYS_IN.has(path)) mustBeProven(person)
}

async function refuseOld(authentication: Authentication, request: Request): Promise<void> {
  const signIn = await authentication.signInFrom(request)
  if (!signIn || mayAddPasskey(signIn, systemClock.now())) return
  throw new Failure(
    'forbidden',
    'A passkey is added within 15 minutes of signing in. Sign in again, then add it.',
  )
}

const cookieName = (cookie: string) => cookie.slice(0, cookie.indexOf('='))

const CODES: Record<number, FailureCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  415: 'unsupported_media_type',
  422: 'invalid_input',
  500: 'internal',
}

/** The request with a body that was read and checked where better-auth does not check it. */
async function checked(request: Request, path: string) {
  if (request.method === 'GET') return { passed: request, body: {} }
  const body = await readObject(request)
  if (path.startsWith('/passkey/verify-')) passkeyBody.parse(body)
  // A person may change their password because somebody else knows it: end the other sessions.
  if (path === '/change-password') body.revokeOtherSessions = true
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  const init = { method: request.method, headers, body: JSON.stringify(body) }
  return { passed: new Request(request.url, init), body }
}

/** better-auth checks only the length. Throws `invalid_input`. */
function refuseGuessed(newPassword: unknown, person: Person): void {
  if (typeof newPassword !== 'string') return
  const wrong = wrongPassword(newPassword, person)
  if (wrong.length > 0) throw wrongFields(wrong.map((of) => ({ ...of, field: 'newPassword' })))
}

/** The account whose password is tried, for the limit; invalid addresses count as nobody's. */
function accountIn({ email }: Record<string, unknown>): string {
  return typeof email === 'string' ? cleanEmail(email) : ''
}

async function readObject(request: Request): Promise<Record<string, unknown>> {
  const body = await readOptionalJson(request)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new Failure('malformed', 'The body must be a JSON object.')
}

const passkeyBody = shape(Type.Object({ response: Type.Object({ id: Type.String() }) }))

// better-auth reports this as a server error, but the browser sent something wrong.
const NOT_OUR_FAULT = 'FAILED_TO_VERIFY_REGISTRATION'

/** better-auth's errors in the format of the rest of the API (RFC 9457). */
async function asProblem(response: Response): Promise<Response> {
  if (response.status < 400) return withoutTokens(response)
  const error = (await response.json().catch(() => ({}))) as { code?: unknown; message?: unknown }
  const sentence = typeof error.message === 'string' ? `${error.message}.` : 'That was refused.'
  const status = error.code === NOT_OUR_FAULT ? 400 : response.status
  const problem = problemResponse(new Failure(CODES[status] ?? 'malformed', sentence))
  for (const cookie of response.headers.getSetCookie()) problem.headers.append('set-cookie', cookie)
  return problem
}

/** The token is in the cookie, where scripts cannot read it, so it is removed from the body. */
async function withoutTokens(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  const content = JSON.parse(text || 'null', (name, value) =>
    name === 'token' ? undefined : value,
  )
  const { status, headers } = response
  headers.delete('content-length')
  return new Response(JSON.stringify(content), { status, headers })
}

function nobody(): Failure {
  return new Failure('unauthenticated', 'Nobody is signed in; sign in and try again.')
}

function foreign(): Failure {
  return new Failure(
    'forbidden',
    'This request came from another site, so nothing was done. If it came from here, BECKON_BASE_URL is not the address that the browser shows.',
  )
}
