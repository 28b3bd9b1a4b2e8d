/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { isAuditor, type Person } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn, Visit } from '../../pages/visit.ts'
import { type AuthorizationRequest, answerTo, readRequest } from '../authorization-request.ts'
import { authorize, connectionOf, wasAgreed } from '../authorize-client.ts'
import { hostOf } from '../model/client.ts'
import { isLoopback, isOfDomain, placeOf } from '../model/redirect-uri.ts'
import { type Scope, sharedScopes } from '../model/scope.ts'

export type ConsentDeps = {
  db: Db
  clock: Clock
  baseUrl: string
  outside: Pick<GuardedFetch, 'fetch'>
}

/** `/oauth2/authorize`: a client asks for access. Somebody who is not signed in signs in first. */
export async function showConsent(deps: ConsentDeps, visit: Visit): Promise<Response> {
  const { person, url } = visit
  // Nothing is looked up for a stranger: neither a client nor its document.
  if (!person) return seeOther(href.signIn(url.pathname + url.search))
  const read = await readRequest(deps, url.searchParams, person)
  if (read.kind === 'problem') return problemPage(visit, read.problem)
  if (read.kind === 'back') return seeOther(read.location)
  const { request } = read
  if (isAuditor(person)) {
    return request.prompt === 'none'
      ? seeOther(answerTo(deps.baseUrl, request, AUDITOR))
      : problemPage(visit, AUDITOR_READS, 403)
  }
  const existing = await connectionOf(deps, request, person)
  if (request.prompt !== 'consent' && wasAgreed(request, existing) && comesFromOutside(visit)) {
    return await backWithCode(deps, request, person, request.scopes)
  }
  if (request.prompt === 'none') {
    const error = { error: 'consent_required', error_description: 'The person must be asked.' }
    return seeOther(answerTo(deps.baseUrl, request, error))
  }
  return consentPage(deps, { ...visit, person }, request, existing !== undefined)
}

/** Allow or deny. */
export async function submitConsent(deps: ConsentDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { person } = visit
  const query = new URLSearchParams(formField(form, 'request'))
  const read = await readRequest(deps, query, person)
  if (read.kind === 'problem') return problemPage(visit, read.problem)
  if (read.kind === 'back') return seeOther(read.location)
  const { request } = read
  // Somebody else has signed in since, in another tab, and nobody decides for another person.
  if (formField(form, 'as') !== person.id) return consentPage(deps, visit, request, false)
  const scopes = sharedScopes(request.scopes, form.getAll('may'))
  if (formField(form, 'decision') !== 'allow' || scopes.length === 0) {
    const error = { error: 'access_denied', error_description: 'The person did not allow it.' }
    return seeOther(answerTo(deps.baseUrl, request, error))
  }
  return await backWithCode(deps, request, person, scopes)
}

async function backWithCode(
  deps: ConsentDeps,
  request: AuthorizationRequest,
  person: Person,
  scopes: Scope[],
): Promise<Response> {
  const code = await authorize(deps, request, person, scopes)
  return seeOther(answerTo(deps.baseUrl, request, { code }))
}

/**
 * Returns true if the browser came here from the client, not from our own sign-in. The sign-in form
 * may only lead to our own pages, and somebody who has just signed in should see what comes next.
 */
function comesFromOutside({ request }: Visit): boolean {
  return request.headers.get('sec-fetch-site') !== 'same-origin'
}

function consentPage(
  { baseUrl }: ConsentDeps,
  visit: SignedIn,
  request: AuthorizationRequest,
  again: boolean,
): Response {
  const { client, redirectUri, scopes } = request
  const { person, url } = visit
  const query = visit.request.method === 'GET' ? url.search.slice(1) : ''
  const page = html(
    <Layout visit={{ ...visit, person: undefined, open: 0 }} title="Connect a client" kind="alone">
      <div class="door consent">
        <h1>Connect {client.name}?</h1>
        <p class="sub">
          To {new URL(baseUrl).host}, as <b>{person.name}</b>, {person.email}.
          {again && ' You allowed it before.'}
        </p>
        <WhoAsks request={request} />
        {!isOfDomain(redirectUri) && (
          <p class="caution">
            <Icon name="warning" />
            <span>
              Any program on this device can use that name. Allow only what you just started.
            </span>
          </p>
        )}
        <form method="post" action={paths.authorize} data-once>
          <input type="hidden" name="request" value={query || queryOf(request)} />
          <input type="hidden" name="as" value={person.id} />
          <fieldset>
            <legend>It may</legend>
            {scopes.map((scope) => (
              <May scope={scope} alone={scopes.length === 1} />
            ))}
          </fieldset>
          <div class="consent-do">
            <button type="submit" name="decision" value="deny" class="big plain">
              Deny
            </button>
            <button type="submit" name="decision" value="allow" class="big primary">
              Allow
            </button>
          </div>
        </form>
        <p class="aside">
          If you did not start this, deny it. You can revoke access at any time under Settings,
          Agent tokens.
        </p>
      </div>
    </Layout>,
  )
  page.headers.set('content-security-policy', policyFor(page, redirectUri))
  return page
}

/** Shows the known facts of the client, and those that it only says. */
function WhoAsks({ request: { client, redirectUri } }: { request: AuthorizationRequest }) {
  const host = hostOf(client)
  return (
    <dl class="compare who-asks">
      <div>
        <dt>Client</dt>
        <dd>
          {host ? (
            <>
              <b>{host}</b>
              <span class="soft"> says it is “{client.name}”</span>
            </>
          ) : (
            <>
              <b>{client.name}</b>
              <span class="soft">
                {client.kind === 'made' ? ', set up by an owner here' : ', by its own word'}
              </span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Leads back to</dt>
        <dd>
          <b>{placeOf(redirectUri)}</b>
          <span class="soft">{whatIsThere(redirectUri)}</span>
        </dd>
      </div>
    </dl>
  )
}

function whatIsThere(redirectUri: string): string {
  if (isLoopback(redirectUri)) return ', a program on this device'
  return isOfDomain(redirectUri) ? '' : ', an app on this device'
}

const WORDS: Record<Scope, { title: string; sub: string }> = {
  ask: {
    title: 'Ask you and notify you',
    sub: 'Questions, and notifications on your devices, within your policy.',
  },
  propose_scope: {
    title: 'Propose scopes',
    sub: 'Which files a session may change; you agree to each.',
  },
}

function May({ scope, alone }: { scope: Scope; alone: boolean }) {
  const { title, sub } = WORDS[scope]
  const words = (
    <span>
      {title}
      <span class="soft">{sub}</span>
    </span>
  )
  // A client that may not ask could do nothing.
  if (alone || scope === 'ask') {
    return (
      <div class="check may">
        <input type="hidden" name="may" value={scope} />
        <Icon name="check" />
        {words}
      </div>
    )
  }
  const id = `may-${scope}`
  return (
    <label class="check may" for={id}>
      <input id={id} type="checkbox" name="may" value={scope} checked />
      {words}
    </label>
  )
}

/** The request again, for a page that answers a form. */
function queryOf(request: AuthorizationRequest): string {
  const { client, redirectUri, state, challenge, scopes, resource, refreshes } = request
  const scope = [...scopes, ...(refreshes ? ['offline_access'] : [])].join(' ')
  return new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    ...(state === undefined ? {} : { state }),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope,
    resource,
  }).toString()
}

/**
 * A browser follows the redirect after a form only if the page's policy allows it, including
 * redirects of the client's site (CSP, form-action).
 */
function policyFor(page: Response, redirectUri: string): string {
  const url = new URL(redirectUri)
  const isNamed = url.protocol === 'http:' && !url.hostname.startsWith('[')
  const there = isNamed ? url.origin : url.protocol
  const policy = page.headers.get('content-security-policy') ?? ''
  return policy.replace("form-action 'self'", `form-action 'self' https: ${there}`)
}

const AUDITOR = { error: 'access_denied', error_description: 'An auditor connects no agents.' }
const AUDITOR_READS =
  'You are an auditor here: you read everything, and connect no agents. Ask an owner to connect it, or sign in as somebody else.'

function problemPage(visit: Visit, problem: string, status = 400): Response {
  return html(
    <Layout visit={{ ...visit, person: undefined, open: 0 }} title="Not connected" kind="alone">
      <div class="lonely">
        <h1>This client cannot be connected</h1>
        <p>{problem}</p>
        <p>Nothing was given to it.</p>
        <p>
          <a class="button" href={paths.home}>
            To your questions
          </a>
        </p>
      </div>
    </Layout>,
    status,
  )
}
