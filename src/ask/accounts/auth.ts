import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { createAuthEndpoint, isAPIError } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import type { SqliteDb } from '../../platform/db/sqlite.ts'
import type { Log } from '../../platform/log.ts'
import * as tables from './model/auth-tables.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './model/person-rules.ts'

/** Where better-auth is reached, and what its cookies begin with. */
const AUTH_PATH = '/api/auth'
const COOKIE_PREFIX = 'beckon'
// Browsers take such a cookie from this very name alone, so that no sibling of it plants one.
const HOST_PREFIX = '__Host-'

const DAY_SECONDS = 24 * 60 * 60
const SESSION_SECONDS = 30 * DAY_SECONDS

export type AuthOptions = {
  orm: SqliteDb['orm']
  secret: string
  baseUrl: string
  log: Log
  /** Whether an `Origin` is ours; checked again behind our own check. */
  isOwn(request: Request, origin: string): boolean
}

/**
 * Who people are: passwords, passkeys and sign-ins, by better-auth over our database. This file is
 * slow to load: import it when the first person comes. Nobody signs up here; people are made by
 * the set-up link and `beckon user`.
 */
export function createAuth({ orm, secret, baseUrl, log, isOwn }: AuthOptions) {
  const https = baseUrl.startsWith('https:')
  return betterAuth({
    appName: 'Beckon',
    baseURL: baseUrl,
    basePath: AUTH_PATH,
    secret,
    database: drizzleAdapter(orm, { provider: 'sqlite', schema: tables, transaction: false }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS },
    plugins: [
      passkey({
        rpName: 'Beckon',
        rpID: new URL(baseUrl).hostname,
        // Kept by the device, so that signing in asks for no address.
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      }),
      signInAs,
    ],
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && isOwn(request, origin) ? [origin] : []
    },
    advanced: {
      cookiePrefix: https ? HOST_PREFIX + COOKIE_PREFIX : COOKIE_PREFIX,
      // It would put a weaker prefix before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: https },
      // It would believe headers that anybody can send.
      ipAddress: { disableIpTracking: true },
    },
    // Attempts are counted by our own limits, for the forms as well.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // What is not an answer of better-auth goes to the server's own handling of bugs.
    onAPIError: {
      onError(error) {
        if (!isAPIError(error)) throw error
      },
    },
    logger: {
      level: 'error',
      log: (_, message) => log.warn('better-auth reports an error', { about: message }),
    },
  })
}

export type Auth = ReturnType<typeof createAuth>

/** Signs in somebody who has proved otherwise who they are (a set-up link); never over HTTP. */
const signInAs = {
  id: 'sign-in-as',
  endpoints: {
    signInAs: createAuthEndpoint.serverOnly(
      { method: 'POST', metadata: { $Infer: { body: {} as { personId: string } } } },
      async (context) => {
        const { internalAdapter } = context.context
        const user = await internalAdapter.findUserById(context.body.personId)
        if (!user) return context.json({ signInId: undefined })
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return context.json({ signInId: session.id })
      },
    ),
  },
} satisfies BetterAuthPlugin
