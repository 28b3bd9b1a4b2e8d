import type { Person } from '../accounts/model/person.ts'
import { type ClientDeps, findClient } from './find-client.ts'
import type { OAuthClient } from './model/client.ts'
import { issuerOf, resourceOf } from './model/issuer.ts'
import { isRegistered } from './model/redirect-uri.ts'
import { OFFLINE, readScopes, type Scope } from './model/scope.ts'

/** The checked request of a client (RFC 6749, 4.1.1; OAuth 2.1, 4.1.1). */
export type AuthorizationRequest = {
  client: OAuthClient
  redirectUri: string
  state: string | undefined
  challenge: string
  scopes: Scope[]
  resource: string
  /** True if the client asked for refresh tokens, or registered for them. */
  refreshes: boolean
  /** `consent` asks in any case, `none` in no case. */
  prompt: 'consent' | 'none' | undefined
}

/**
 * A request; an error to send to the client's own address; or a problem to show to the person, if
 * it is not known that the address is the client's (RFC 6749, 4.1.2.1), so that nobody is sent
 * there.
 */
export type ReadRequest =
  | { kind: 'request'; request: AuthorizationRequest }
  | { kind: 'back'; location: string }
  | { kind: 'problem'; problem: string }

type Deps = ClientDeps & { baseUrl: string }

const ONCE = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'code_challenge']
const S256 = /^[A-Za-z0-9_-]{43}$/

/** Reads the query of the authorization endpoint for somebody who is signed in. */
export async function readRequest(
  deps: Deps,
  query: URLSearchParams,
  person: Pick<Person, 'workspaceId'>,
): Promise<ReadRequest> {
  const twice = ONCE.find((name) => query.getAll(name).length > 1)
  if (twice) return { kind: 'problem', problem: `The client sent ${twice} more than once.` }
  const clientId = query.get('client_id')
  if (!clientId) return { kind: 'problem', problem: 'The client did not say its client_id.' }
  const lookup = await findClient(deps, clientId, person)
  if ('problem' in lookup) return { kind: 'problem', problem: lookup.problem }
  const { client } = lookup
  const redirectUri = query.get('redirect_uri')
  if (!redirectUri || !isRegistered(client.redirectUris, redirectUri)) {
    return { kind: 'problem', problem: NOT_ITS_ADDRESS }
  }
  return checked(deps.baseUrl, query, client, redirectUri)
}

function checked(
  baseUrl: string,
  query: URLSearchParams,
  client: OAuthClient,
  redirectUri: string,
): ReadRequest {
  const state = query.get('state') ?? undefined
  const back = (error: string, description: string): ReadRequest => {
    const parameters = { error, error_description: description }
    return { kind: 'back', location: answerTo(baseUrl, { redirectUri, state }, parameters) }
  }
  if (query.has('request') || query.has('request_uri')) {
    return back('request_not_supported', 'Send the parameters themselves.')
  }
  if (query.get('response_type') !== 'code') {
    return back('unsupported_response_type', 'response_type must be code.')
  }
  if ((query.get('response_mode') ?? 'query') !== 'query') {
    return back('invalid_request', 'response_mode must be query.')
  }
  const challenge = query.get('code_challenge') ?? ''
  // Without a method it would be `plain`, which anybody who reads the request could answer (RFC
  // 7636, 4.3).
  if (!S256.test(challenge) || query.get('code_challenge_method') !== 'S256') {
    return back('invalid_request', 'code_challenge with code_challenge_method=S256 is required.')
  }
  const resources = query.getAll('resource')
  const resource = resourceOf(baseUrl)
  if (resources.length !== 1 || resources[0] !== resource) {
    return back('invalid_target', `resource must be ${resource}.`)
  }
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean)
  const isSilent = prompts.includes('none')
  if (isSilent && prompts.length > 1) {
    return back('invalid_request', 'prompt=none stands alone.')
  }
  const scope = query.get('scope') ?? undefined
  const asksOffline = scope?.split(' ').includes(OFFLINE) ?? false
  const scopes = readScopes(scope)
  const refreshes = client.refreshes || asksOffline
  const prompt = isSilent ? 'none' : prompts.length > 0 ? 'consent' : undefined
  const request = { client, redirectUri, state, challenge, scopes, resource, refreshes, prompt }
  return { kind: 'request', request: request as AuthorizationRequest }
}

/** The client's address with an answer in it, and who answers (RFC 9207). */
export function answerTo(
  baseUrl: string,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  parameters: Record<string, string>,
): string {
  const answer = new URLSearchParams(parameters)
  if (state !== undefined) answer.set('state', state)
  answer.set('iss', issuerOf(baseUrl))
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${answer}`
}

const NOT_ITS_ADDRESS =
  'The client asks to be answered at an address that it did not register, so nothing is sent there. This may be an attempt to take over the sign-in of another program.'
