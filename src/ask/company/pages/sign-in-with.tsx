/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, ownPath, paths } from '../../pages/paths.ts'
import type { Visit } from '../../pages/visit.ts'
import { signOutAddress } from '../ask-provider.ts'
import { browserOf, keepBrowser } from '../browser-cookie.ts'
import { confirmAccount, readWaitingAccount } from '../confirm-account.ts'
import type { Provider } from '../model/provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import {
  beginSignIn,
  endSignIn,
  logRefusal,
  requireProvider,
  type SignInWithDeps,
} from '../sign-in-with.ts'

/** `/sign-in/with/:provider`: leads to the provider; with `out` to where it ends its sessions. */
export async function showSignInWith(deps: SignInWithDeps, visit: Visit): Promise<Response> {
  const { request, params, url, person } = visit
  const provider = await requireProvider(deps, params.provider ?? '')
  if (url.searchParams.has('out')) return await showSignOut(deps, visit, provider)
  // Another site must not connect an account to whoever is signed in here.
  const isConnecting = url.searchParams.has('connect')
  const isOwn = deps.authentication.sameOrigin(request)
  if (isConnecting && !(person && isOwn)) return seeOther(paths.company)
  const { browser, cookie } = keepBrowser(request, deps.config.baseUrl)
  const flow = isConnecting
    ? ({ purpose: 'link', person, next: paths.company } as const)
    : ({
        purpose: url.searchParams.has('again') ? 'again' : 'sign_in',
        next: ownPath(url.searchParams.get('next')),
      } as const)
  try {
    const to = await beginSignIn(deps, request, provider, { ...flow, browser })
    const response = seeOther(to)
    response.headers.append('set-cookie', cookie)
    return response
  } catch (error) {
    return failurePage(deps, visit, provider, error)
  }
}

async function showSignOut(
  deps: SignInWithDeps,
  visit: Visit,
  provider: Provider,
): Promise<Response> {
  deps.starts.take(deps.addressOf(visit.request))
  try {
    const to = await signOutAddress(deps, provider, deps.config.baseUrl + paths.signIn)
    if (to) return seeOther(to)
    return alone(
      visit,
      `Sign out of ${provider.name}`,
      <p class="sub">{provider.name} does not say where its sign-ins end. Sign out there.</p>,
    )
  } catch (error) {
    return failurePage(deps, visit, provider, error)
  }
}

/** `/sign-in/back/:provider`: where the provider sends people. */
export async function showSignInBack(deps: SignInWithDeps, visit: Visit): Promise<Response> {
  const { request, params, person } = visit
  const provider = await requireProvider(deps, params.provider ?? '')
  const browser = browserOf(request, deps.config.baseUrl)
  try {
    const end = await endSignIn(deps, request, provider, { browser, person })
    if (end.kind === 'in') return seeOther(end.next, end.headers)
    if (end.kind === 'linked') return seeOther(end.next)
    if (end.kind === 'confirm') return seeOther(href.confirmAccount(end.code))
    return refusedPage(visit, `${provider.name} knows you, this server does not let you in`, [
      end.sentence,
    ])
  } catch (error) {
    return failurePage(deps, visit, provider, error)
  }
}

/** The provider could not be asked, or what it answered is not accepted. */
function failurePage(
  { log }: SignInWithDeps,
  visit: Visit,
  provider: Provider,
  error: unknown,
): Response {
  if (!(error instanceof ProviderFailure)) throw error
  logRefusal(log, provider, error)
  const isDown = error.kind === 'down'
  const title = isDown
    ? `${provider.name} cannot be reached`
    : `${provider.name} did not sign you in`
  const more = isDown ? 'Try again in a moment. Whoever is signed in stays so for a while.' : ''
  return refusedPage(visit, title, [error.message, more], isDown ? 503 : 403)
}

function refusedPage(visit: Visit, title: string, sentences: string[], status = 403): Response {
  return alone(
    visit,
    title,
    <>
      {sentences.filter(Boolean).map((sentence) => (
        <p class="sub">{sentence}</p>
      ))}
      <p>Nobody was signed in.</p>
      <p>
        <a class="button big" href={visit.person ? paths.company : paths.signIn}>
          {visit.person ? 'Back to the settings' : 'Back to the sign-in'}
        </a>
      </p>
    </>,
    status,
  )
}

function alone(visit: Visit, title: string, children: ComponentChildren, status = 200): Response {
  return html(
    <Layout visit={{ ...visit, person: undefined }} title={title} kind="alone">
      <div class="door">
        <h1>{title}</h1>
        {children}
      </div>
    </Layout>,
    status,
  )
}

/** `/sign-in/confirm/:code`: an account whose address is that of a person here. */
export async function showConfirm(deps: SignInWithDeps, visit: Visit): Promise<Response> {
  const { params, request, person } = visit
  const code = params.code ?? ''
  const browser = browserOf(request, deps.config.baseUrl)
  const waiting = await readWaitingAccount(deps, { code, browser })
  const provider = await requireProvider(deps, waiting.provider)
  const signIn = await deps.authentication.signInFrom(request)
  const isProven =
    person !== undefined && signIn?.provider === null && signIn.createdAt >= waiting.createdAt
  const account = waiting.arrival?.email ?? ''
  return alone(
    visit,
    'Is this you?',
    isProven ? (
      <>
        <p class="sub">
          From now on {account} at {provider.name} signs in as {person.name}.
        </p>
        <form method="post" action={href.confirmAccount(code)}>
          <button type="submit" class="big primary">
            Connect it
          </button>
        </form>
      </>
    ) : (
      <>
        <p class="sub">
          {provider.name} says that you are {account}. Somebody with this address signs in here
          without {provider.name}. Sign in once more as before, and connect the two.
        </p>
        <p>
          <a class="button big primary" href={href.signInAgain(href.confirmAccount(code))}>
            Sign in as before
          </a>
        </p>
      </>
    ),
  )
}

export async function submitConfirm(deps: SignInWithDeps, visit: Visit): Promise<Response> {
  const { params, request, person } = visit
  await readForm(request)
  const code = params.code ?? ''
  const browser = browserOf(request, deps.config.baseUrl)
  await readWaitingAccount(deps, { code, browser })
  if (!person) return seeOther(href.confirmAccount(code))
  const find = (id: string) => requireProvider(deps, id)
  return seeOther(await confirmAccount(deps, request, person, { code, browser }, find))
}
