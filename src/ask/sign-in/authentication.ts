import { type Clock, systemClock } from '../../platform/clock.ts'
import { isOwnOrigin } from '../../platform/config/origins.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import { loadOnce } from '../../platform/once.ts'
import type { Auth } from '../accounts/auth.ts'
import type { Agent } from '../accounts/model/agent.ts'
import type { Agents } from '../accounts/model/agents.ts'
import { whileValid } from '../accounts/model/agents.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import { cleanEmail } from '../accounts/model/person-rules.ts'
import { findActivePerson, findSignedIn } from '../accounts/model/person-store.ts'
import { cookiePrefix, isFresh, signedToken } from '../accounts/model/sign-in.ts'
import { findProof, markProven, type Proof } from '../accounts/model/sign-in-store.ts'
import { createSignInUse } from '../accounts/model/sign-in-use.ts'
import { bearerToken, TOKEN_REFUSALS } from './bearer-token.ts'
import { changePassword, type PasswordChange } from './change-password.ts'
import { type CompanyAccess, NO_COMPANY, SWITCHED_OFF } from './company-access.ts'
import { createEntry } from './entry.ts'
import { isOwnRequest } from './own-request.ts'
import { pairDevice } from './pair-device.ts'
import { removePasskey } from './remove-passkey.ts'
import { invitedAs, type SetUpForm, setUp } from './set-up.ts'
import { ownFailure, signInFailure } from './sign-in-failure.ts'
import { recordSignIn } from './sign-in-trail.ts'
import { endOtherOwnSignIns, endOwnSignIn, replaceSignIn } from './sign-ins.ts'

export type AuthenticationDeps = {
  db: OpenDb
  clock: Clock
  log: Log
  agents: Agents
  limits: Limits
  baseUrl: string
  authSecret: string
  /** The caller's address, as far as it can be trusted (`clientAddress`). */
  addressOf(request: Request): string
  /** Sign-in through the provider of a company; without it everybody signs in locally. */
  company?: CompanyAccess
}

/** Identifies the person behind a request, and signs people in and out. */
export type Authentication = {
  /** The signed-in person; undefined without a valid session. */
  personFrom(request: Request): Promise<Person | undefined>
  /** The agent behind the bearer token. Throws `unauthenticated` (401) and `rate_limited`. */
  agentFrom(request: Request): Promise<Agent>
  /**
   * Does long work for an agent until the caller hangs up. Throws `unauthenticated` as soon as the
   * agent's token is revoked.
   */
  hold<T>(agent: Agent, hungUp: AbortSignal, work: (ends: AbortSignal) => Promise<T>): Promise<T>
  /** The sign-in behind a request and whose it is; undefined without a valid one. */
  signInFrom(request: Request): Promise<OwnSignIn | undefined>
  /** Returns true if a request that changes something comes from our own pages. */
  sameOrigin(request: Request): boolean
  /** The headers set the session cookie. Throws `unauthenticated` and `rate_limited`. */
  signIn(request: Request, credentials: { email: string; password: string }): Promise<Headers>
  /** The headers delete the session cookie. */
  signOut(request: Request): Promise<Headers>
  /**
   * Changes the person's password and ends all their sign-ins; the headers start a new one. Throws
   * `invalid_input`, `conflict` without a password, `rate_limited`.
   */
  changePassword(request: Request, person: Person, change: PasswordChange): Promise<Headers>
  /** Removes a passkey of the person. Throws `not_found`, and `conflict` for the only way in. */
  removePasskey(request: Request, person: Person, id: string): Promise<void>
  /** Ends a sign-in of the person, with its devices if asked to. Throws `not_found`. */
  endSignIn(request: Request, person: Person, of: { id: string } & WithDevices): Promise<void>
  /** Ends the person's sign-ins in every other browser, with their devices if asked to. */
  signOutElsewhere(request: Request, person: Person, of: WithDevices): Promise<void>
  /**
   * Uses up a set-up link and signs in the person it is for. Throws `gone`, `invalid_input`,
   * `rate_limited`.
   */
  setUp(request: Request, form: SetUpForm): Promise<Headers>
  /**
   * Uses up a pairing code and signs in the phone that holds it, with a new session. Throws `gone`,
   * `rate_limited`.
   */
  pair(request: Request, code: string): Promise<{ headers: Headers; appCode: string | undefined }>
  /** Signs in a person whom a provider has proven. Throws `forbidden` for a switched-off one. */
  enter(request: Request, personId: PersonId, proof: Proof): Promise<Headers>
  /**
   * Ends a local sign-in that has just been made, if this person may not sign in so; `headers` set
   * its cookie. Throws `forbidden`.
   */
  refuseEntry(headers: Headers): Promise<void>
  /** Throws `forbidden` if nobody may sign in with a password or a passkey. */
  refuseLocal(): Promise<void>
  /** The sign-in through the provider of a company. */
  company: CompanyAccess
  /**
   * Signs in by `signIn`. If that set cookies, the browser's earlier sign-in ends, so that a copied
   * cookie becomes useless. With `keepsProof` the new one is as old as the earlier one to its provider.
   */
  anew<T>(
    request: Request,
    signIn: () => Promise<T>,
    headersOf: (result: T) => Headers,
    more?: { keepsProof: boolean },
  ): Promise<T>
  /**
   * Cookies that were renewed while the person of this request was read; they belong on its
   * response.
   */
  renewedCookies(request: Request): string[]
  /** better-auth itself, loaded when first needed. */
  better(): Promise<Auth>
}

/** `provider`: what proved it; null for a password, a passkey or a link. */
type OwnSignIn = {
  id: string
  personId: PersonId
  provider: string | null
  createdAt: number
  /** A code that a phone scanned signed it in. */
  isPaired: boolean
}

/** How old a sign-in may be that adds a passkey. */
const ADD_PASSKEY_MS = 15 * 60_000

/** Returns true if this sign-in proves its person enough for a new passkey. */
export function mayAddPasskey(
  { createdAt, isPaired }: Pick<OwnSignIn, 'createdAt' | 'isPaired'>,
  now: number,
): boolean {
  return !isPaired && now - createdAt <= ADD_PASSKEY_MS
}

type WithDevices = { withDevices: boolean }

const REFUSED = new Set(['unauthenticated', 'forbidden'])
const SESSION_COOKIE = /(^|;\s*)(__Host-)?beckon\.session_token=/

export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const { db, agents, limits, addressOf, company = NO_COMPANY } = deps
  const better = lazyAuth(deps)
  const renewed = new WeakMap<Request, string[]>()
  const use = createSignInUse(db)
  const signing = { prefix: cookiePrefix(deps.baseUrl), secret: deps.authSecret }
  const entry = createEntry({ db, company, signing })

  async function signInOf(request: Request) {
    if (!SESSION_COOKIE.test(request.headers.get('cookie') ?? '')) return undefined
    const auth = await better()
    const { headers, response } = await auth.api
      .getSession({ headers: request.headers, returnHeaders: true })
      .catch(notKnown)
    return { cookies: headers.getSetCookie(), found: response }
  }

  async function personFrom(request: Request): Promise<Person | undefined> {
    const person = await personOfCookie(request)
    if (person) return person
    const current = await signInOf(request)
    if (!current) return undefined
    renewed.set(request, current.cookies)
    const { session: row } = current.found ?? {}
    const signedIn = row && (await findSignedIn(db.read, row.token).catch(notKnown))
    return signedIn && (await entry.provenPerson(signedIn, systemClock.now()))
  }

  /** As better-auth would, in one query; undefined if there is more to do, or nobody. */
  async function personOfCookie(request: Request): Promise<Person | undefined> {
    const token = signedToken(request.headers.get('cookie'), signing)
    const signedIn = token && (await findSignedIn(db.read, token).catch(notKnown))
    const now = systemClock.now()
    if (!signedIn || !isFresh(signedIn.expiresAt, now)) return undefined
    use.now(signedIn, now)
    return await entry.provenPerson(signedIn, now)
  }

  async function signInFrom(request: Request) {
    const token = signedToken(request.headers.get('cookie'), signing)
    const signedIn = token && (await findSignedIn(db.read, token).catch(notKnown))
    if (!signedIn || signedIn.expiresAt.getTime() <= systemClock.now()) return undefined
    const { id, person, provider, createdAt, pairedAt } = signedIn
    const isPaired = pairedAt !== null
    return { id, personId: person.id, provider, createdAt: createdAt.getTime(), isPaired }
  }

  async function anew<T>(
    request: Request,
    signIn: () => Promise<T>,
    headersOf: (result: T) => Headers,
    { keepsProof = false } = {},
  ): Promise<T> {
    const session = (await signInOf(request))?.found?.session
    const before = session && (await findSignedIn(db.read, session.token))
    const result = await signIn()
    const token = session && entry.tokenIn(headersOf(result))
    if (!token) return result
    await db.write(async (tx) => {
      await replaceSignIn(tx, session.id, token)
      const current = keepsProof && (await findSignedIn(tx, token))
      const { provider, provenUntil, provenAt } = before ?? {}
      if (!current || !provider || !provenUntil) return
      const until = provenUntil.getTime()
      await markProven(tx, current.id, { provider, until, at: provenAt?.getTime() })
    })
    return result
  }

  async function agentFrom(request: Request): Promise<Agent> {
    const token = bearerToken(request)
    const agent = await agents.find(token)
    if (typeof agent === 'string') {
      limits.wrongToken.take(addressOf(request))
      throw new Failure('unauthenticated', TOKEN_REFUSALS[agent])
    }
    agents.used(agent, () => ({
      address: addressOf(request),
      client: request.headers.get('user-agent') ?? undefined,
    }))
    return agent
  }

  async function signIn(
    request: Request,
    { email, password }: { email: string; password: string },
  ) {
    const from = addressOf(request)
    await limits.signIn.take(from)
    const body = { email: email.trim(), password }
    const who = { email: cleanEmail(email) }
    await limits.account.take(who.email)
    await entry.refuseLocal()
    const auth = await better()
    try {
      const { headers } = await anew(
        request,
        () => auth.api.signInEmail({ body, headers: request.headers, returnHeaders: true }),
        (result) => result.headers,
      )
      await entry.refuseEntry(headers)
      await recordSignIn(deps, { kind: 'sign_in.succeeded', who, how: 'password', from })
      return cookies(headers)
    } catch (error) {
      const failure = signInFailure(error)
      if (failure instanceof Failure && REFUSED.has(failure.code)) {
        await recordSignIn(deps, { kind: 'sign_in.failed', who, how: 'password', from })
      }
      throw failure
    }
  }

  async function signInAs(request: Request, personId: string, proof?: Proof) {
    if (!(await findActivePerson(db.read, personId))) throw SWITCHED_OFF
    const auth = await better()
    const { headers, response } = await auth.api.signInAs({
      body: { personId },
      headers: request.headers,
      returnHeaders: true,
    })
    const { signInId } = response
    if (proof && signInId) await db.write((tx) => markProven(tx, signInId, proof))
    return { headers: cookies(headers), signInId }
  }

  const ways = { better, personFrom, signInFrom, agentFrom, signIn, anew, company }
  return {
    ...ways,
    ...entry,
    hold: ({ tokenId }, hungUp, work) => whileValid(agents.held, tokenId, hungUp, work),
    enter: async (request, personId, proof) =>
      headersIn(await anew(request, () => signInAs(request, personId, proof), headersIn)),
    renewedCookies: (request) => renewed.get(request) ?? [],
    sameOrigin: (request) => isOwnRequest(request, deps.baseUrl),
    async signOut(request) {
      const auth = await better()
      const person = await personFrom(request)
      const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true })
      if (person) {
        const from = addressOf(request)
        await recordSignIn(deps, { kind: 'sign_in.ended', who: person, how: 'signed out', from })
      }
      return cookies(headers)
    },
    changePassword: (request, person, change) =>
      anew(
        request,
        () => changePassword({ ...deps, better }, request, person, change),
        (result) => result,
        { keepsProof: true },
      ).then(cookies, (error) => {
        throw ownFailure(error)
      }),
    removePasskey: (request, person, id) =>
      removePasskey(deps, person, { id, from: addressOf(request) }),
    endSignIn: (request, by, { id, withDevices }) =>
      endOwnSignIn(deps, id, { by, from: addressOf(request), withDevices }),
    async signOutElsewhere(request, by, { withDevices }) {
      const current = await signInFrom(request)
      if (!current) throw nobody()
      await endOtherOwnSignIns(deps, current.id, { by, from: addressOf(request), withDevices })
    },
    async setUp(request, form) {
      await limits.signIn.take(addressOf(request))
      await entry.refuseInvited(await invitedAs(deps, form.code))
      const personId = await setUp(deps, form)
      return headersIn(await anew(request, () => signInAs(request, personId), headersIn))
    },
    async pair(request, code) {
      await limits.signIn.take(addressOf(request))
      let headers = new Headers()
      const pairing = {
        code,
        userAgent: request.headers.get('user-agent') ?? undefined,
        async signIn(personId: PersonId) {
          const proof = await findProof(db.read, personId, systemClock.now())
          // A phone is signed in no longer than the screen that showed it the code.
          const signedIn = await signInAs(request, personId, proof)
          headers = signedIn.headers
          return signedIn.signInId
        },
      }
      const headersNow = () => headers
      const { appCode } = await anew(request, () => pairDevice(deps, pairing), headersNow)
      return { headers, appCode }
    },
  }
}

/**
 * better-auth takes a while to load: only when somebody signs in, never before the port listens.
 */
function lazyAuth({ db, log, baseUrl, authSecret }: AuthenticationDeps): () => Promise<Auth> {
  return loadOnce(async () => {
    const { createAuth } = await import('../accounts/auth.ts')
    const isOwn = (request: Request, origin: string) =>
      isOwnOrigin(origin, baseUrl, request.headers.get('host'))
    return createAuth({ orm: db.orm, secret: authSecret, baseUrl, log, isOwn })
  })
}

/** better-auth hides the cause. If it could not read or renew a session, the database failed. */
function notKnown(cause: unknown): never {
  throw new Failure(
    'unavailable',
    'The database could not be read, so it is not known who is signed in. Try again; the server’s owner can run beckon doctor to find out why.',
    { cause },
  )
}

function nobody(): Failure {
  return new Failure('unauthenticated', 'Your sign-in has ended, so nothing was changed.')
}

const headersIn = ({ headers }: { headers: Headers }) => headers

function cookies(from: Headers): Headers {
  const headers = new Headers()
  for (const cookie of from.getSetCookie()) headers.append('set-cookie', cookie)
  return headers
}
