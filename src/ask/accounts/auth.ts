import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { createAuthEndpoint, isAPIError } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import type { OpenDb } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import * as tables from './model/auth-tables.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './model/person-rules.ts'
import { cookiePrefix, RENEWED_AFTER_SECONDS, SIGN_IN_SECONDS } from './model/sign-in.ts'

/** The path of better-auth. */
const AUTH_PATH = '/api/auth'

export type AuthOptions = {
  orm: OpenDb['orm']
  secret: string
  baseUrl: string
  log: Log
  /** Returns true if an `Origin` is ours. better-auth checks again after our own check. */
  isOwn(request: Request, origin: string): boolean
}

/**
 * Accounts: passwords, passkeys and sign-ins, by better-auth over our database. This module is slow
 * to load: import it when the first person comes. There is no sign-up; people are created by the
 * set-up link and `beckon user`.
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
    session: { expiresIn: SIGN_IN_SECONDS, updateAge: RENEWED_AFTER_SECONDS },
    plugins: [
      passkey({
        rpName: 'Beckon',
        rpID: new URL(baseUrl).hostname,
        // Stored on the device, so that signing in asks for no address.
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      }),
      signInAs,
    ],
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && isOwn(request, origin) ? [origin] : []
    },
    advanced: {
      cookiePrefix: cookiePrefix(baseUrl),
      // This option would put a weaker prefix before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: https },
      // better-auth would trust headers that anybody can send.
      ipAddress: { disableIpTracking: true },
    },
    // Our own limits count attempts, for the forms as well.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Errors that are not better-auth's go to the server's own handling of bugs.
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

/** Signs in a person who proved who they are in another way (a set-up link); never over HTTP. */
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
