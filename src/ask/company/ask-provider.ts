import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { type Arrival, ClaimError, readArrival } from './model/arrival.ts'
import type { Provider } from './model/provider.ts'
import { type ProviderDocuments, readAnswer } from './provider-documents.ts'
import { codesOf, innerFailure, ProviderFailure } from './provider-failure.ts'

export type AskProviderDeps = { outside: GuardedFetch; clock: Clock; documents: ProviderDocuments }

// The clocks of two servers are seldom further apart.
const TOLERANCE_S = 30
const ISSUED_BEFORE_MS = 10 * 60_000
const ISSUED_AHEAD_MS = 5 * 60_000
const KEY_UNKNOWN = 'OAUTH_KEY_SELECTION_FAILED'

/** The secrets of one sign-in. */
export type FlowSecrets = { state: string; nonce: string; verifier: string }

/** Loaded when somebody signs in: nobody else needs it. */
const loadClient = () => import('openid-client')

/** The secrets of a new sign-in. */
export async function makeFlowSecrets(): Promise<FlowSecrets> {
  const client = await loadClient()
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
}

/**
 * The address at the provider where somebody signs in; with `again` even if they are signed in
 * there. Throws a `ProviderFailure`.
 */
export async function addressAtProvider(
  deps: AskProviderDeps,
  provider: Provider,
  { state, nonce, verifier }: FlowSecrets,
  { redirect, again }: { redirect: string; again: boolean },
): Promise<string> {
  const client = await loadClient()
  const config = await configure(deps, provider)
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    response_type: 'code',
    // An answer by POST would come without our cookie.
    response_mode: 'query',
    scope: ['openid', 'email', 'profile', ...provider.scopes].join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // The second is what makes the answer say when they signed in there; some do not take a 0.
    ...(again && { prompt: 'login', max_age: '1' }),
  })
  return url.href
}

/**
 * The address at which the provider signs its people out, and sends them to `back`; undefined if it
 * has none. Throws a `ProviderFailure`.
 */
export async function signOutAddress(
  deps: AskProviderDeps,
  provider: Provider,
  back: string,
): Promise<string | undefined> {
  const { end_session_endpoint: end } = await deps.documents.metadata(provider)
  const isAddress = typeof end === 'string' && /^https?:$/.test(URL.parse(end)?.protocol ?? '')
  if (!isAddress) return undefined
  // No id token is stored that could say who.
  const url = new URL(end)
  url.searchParams.set('client_id', provider.clientId)
  url.searchParams.set('post_logout_redirect_uri', back)
  return url.href
}

/**
 * Exchanges the answer of a provider for who came. `answer` is the address that it sent the browser
 * to. Throws a `ProviderFailure`.
 */
export async function readAnswerOf(
  deps: AskProviderDeps,
  provider: Provider,
  answer: URL,
  secrets: FlowSecrets,
): Promise<Arrival> {
  // The code works once, so a second try gets the same tokens.
  const fetchOnce = rememberTokens(deps, provider, await deps.documents.metadata(provider))
  const exchange = () => exchangeCode(deps, provider, answer, secrets, fetchOnce)
  try {
    return await exchange().catch((error) => {
      const isUnknown = codesOf(error).includes(KEY_UNKNOWN)
      if (isUnknown && deps.documents.forgetKeys(provider)) return exchange()
      throw error
    })
  } catch (error) {
    throw asFailure(provider, error)
  }
}

async function exchangeCode(
  deps: AskProviderDeps,
  provider: Provider,
  answer: URL,
  { state, nonce, verifier }: FlowSecrets,
  fetchOnce: CustomFetch,
): Promise<Arrival> {
  const client = await loadClient()
  const config = await configure(deps, provider, fetchOnce)
  const tokens = await client.authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw refused('It sent no id token.', 'no_id_token')
  checkToken(claims, provider, deps.clock.now())
  const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
  const userInfo = hasUserInfo
    ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
    : {}
  return readArrival(provider, claims, userInfo)
}

/** What the library leaves open. */
function checkToken(
  { azp, iat }: { azp?: unknown; iat: number },
  { clientId }: Provider,
  now: number,
): void {
  if (azp !== undefined && azp !== clientId) {
    throw refused('The id token was made for another client.', 'azp')
  }
  const issuedAt = iat * 1_000
  if (issuedAt < now - ISSUED_BEFORE_MS || issuedAt > now + ISSUED_AHEAD_MS) {
    throw refused(
      'The id token was not made just now: one of the two clocks is wrong, or the token is old.',
      'iat',
    )
  }
}

/** Throws a `ProviderFailure` unless this person proved themselves since `since`. */
export function requireFresh({ name }: Provider, { provenAt }: Arrival, since: number): void {
  if (provenAt === undefined) {
    throw refused(
      `${name} does not say when you signed in there, so that it proves no fresh sign-in.`,
      'auth_time',
    )
  }
  if (provenAt >= since - TOLERANCE_S * 1_000) return
  throw refused(
    `${name} let you through without asking who you are, so that it proves no fresh sign-in.`,
    'auth_time',
  )
}

function refused(sentence: string, code: string): ProviderFailure {
  return new ProviderFailure('refused', sentence, code)
}

async function configure(
  deps: AskProviderDeps,
  provider: Provider,
  fetchWith: CustomFetch = outsideFetch(deps, provider),
): Promise<Configuration> {
  const client = await loadClient()
  const metadata = await deps.documents.metadata(provider)
  const { clientId, secret, clientAuth } = provider
  const auth = {
    basic: () => client.ClientSecretBasic(secret ?? ''),
    post: () => client.ClientSecretPost(secret ?? ''),
    none: () => client.None(),
  }[clientAuth]()
  const config = new client.Configuration(
    metadata as ServerMetadata,
    clientId,
    { [client.clockTolerance]: TOLERANCE_S },
    auth,
  )
  config[client.customFetch] = fetchWith
  // The guarded fetch decides what may be asked without TLS.
  client.allowInsecureRequests(config)
  client.enableNonRepudiationChecks(config)
  return config
}

/** The guarded fetch in the form that the library takes; keys come from what is kept. */
function outsideFetch({ outside, documents }: AskProviderDeps, provider: Provider): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const { jwks_uri } = await documents.metadata(provider)
    if (address === jwks_uri) return Response.json(await documents.keys(provider))
    return await readAnswer(outside, provider, address, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal ? { signal } : {}),
    })
  }
}

function rememberTokens(
  deps: AskProviderDeps,
  provider: Provider,
  { token_endpoint }: { token_endpoint: string },
): CustomFetch {
  const ask = outsideFetch(deps, provider)
  let tokens: Response | undefined
  return async (address, options) => {
    if (address !== token_endpoint) return await ask(address, options)
    tokens ??= await ask(address, options)
    return tokens.clone()
  }
}

const DENIED: Record<string, string> = {
  access_denied: 'It says that access was denied.',
  login_required: 'It says that you have to sign in there first.',
  unauthorized_client:
    'It refuses how this server proves itself: try the other kind of client authentication.',
  invalid_client: 'It does not accept the client id or the secret of this server.',
}

function asFailure({ name }: Provider, error: unknown): ProviderFailure {
  const own = innerFailure(error)
  if (own) return own
  if (error instanceof ClaimError) {
    return refused(
      `What it says under “${error.message}” cannot be read.`,
      `claim_${error.message}`,
    )
  }
  const codes = codesOf(error)
  const denied = Object.entries(DENIED).find(([code]) => codes.includes(code))?.[1]
  return refused(
    denied ?? `What ${name} answered was not accepted. The log of this server has the reason.`,
    codes,
  )
}
