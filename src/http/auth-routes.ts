import { Elysia } from 'elysia'
import { Failure, type FailureCode } from '../kernel/failure.ts'
import type { Authentication } from './auth.ts'
import { problemResponse } from './errors.ts'
import type { Limits } from './limits.ts'

const AUTH_PATH = '/api/auth'

/** What of better-auth is open; everything else it could do is not there. */
const GET_PATHS: ReadonlySet<string> = new Set([
  '/get-session',
  '/list-sessions',
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
  '/passkey/list-user-passkeys',
])
const POST_PATHS: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-out',
  '/change-password',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
])
/** Where secrets are tried out. */
const GUESSED = new Set(['/sign-in/email', '/passkey/verify-authentication', '/change-password'])

type Deps = {
  authentication: Authentication
  limits: Limits
  addressOf(request: Request): string
}

/**
 * better-auth under `/api/auth/`, and the renewed cookies of every signed-in request: mount it
 * before the other faces.
 */
export function authRoutes({ authentication, limits, addressOf }: Deps) {
  async function answer(request: Request, open: ReadonlySet<string>): Promise<Response> {
    const path = new URL(request.url).pathname.slice(AUTH_PATH.length)
    if (!open.has(path)) throw new Failure('not_found', 'There is nothing at this address.')
    if (request.method !== 'GET' && !authentication.sameOrigin(request)) throw foreign()
    if (GUESSED.has(path)) limits.signIn.take(addressOf(request))
    const auth = await authentication.better()
    return asProblem(await auth.handler(request))
  }

  return new Elysia({ name: 'auth' })
    .onAfterHandle({ as: 'global' }, ({ request, response }) => {
      if (!(response instanceof Response)) return
      for (const cookie of authentication.renewedCookies(request)) {
        response.headers.append('set-cookie', cookie)
      }
    })
    .get(`${AUTH_PATH}/*`, ({ request }) => answer(request, GET_PATHS))
    .post(`${AUTH_PATH}/*`, ({ request }) => answer(request, POST_PATHS), { parse: 'none' })
}

const CODES: Record<number, FailureCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  415: 'unsupported_media_type',
  422: 'invalid_input',
  500: 'internal',
}

/** better-auth's errors in the words of the rest of the API (RFC 9457). */
async function asProblem(response: Response): Promise<Response> {
  if (response.status < 400) return response
  const said = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined
  const detail = typeof said?.message === 'string' ? said.message : 'The request was refused.'
  const problem = problemResponse(new Failure(CODES[response.status] ?? 'malformed', detail))
  for (const cookie of response.headers.getSetCookie()) problem.headers.append('set-cookie', cookie)
  return problem
}

function foreign(): Failure {
  return new Failure(
    'forbidden',
    'This request came from another site, so nothing was done. If it came from here, BECKON_BASE_URL does not say the address that the browser shows.',
  )
}
