/** @jsxImportSource preact */
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther, untilLater } from '../../../platform/web/respond.ts'
import { anyPerson } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, ownPath, paths } from '../../pages/paths.ts'
import type { Visit } from '../../pages/visit.ts'
import type { Authentication } from '../authentication.ts'
import type { Way } from '../company-access.ts'

type Deps = {
  db: Db
  authentication: Pick<Authentication, 'signIn' | 'signInFrom' | 'signOut' | 'company'>
}

/** `/sign-in`: with a passkey, or with e-mail and password. */
export async function showSignIn(deps: Deps, visit: Visit): Promise<Response> {
  const next = ownPath(visit.url.searchParams.get('next'))
  if (visit.person && !visit.url.searchParams.has('again')) return seeOther(next)
  if (!(await anyPerson(deps.db.read))) return nobodyYet(visit)
  const chosen = await wayIn(deps, visit.url.searchParams.get('with'))
  if (chosen) return seeOther(href.signInWith(chosen.id, next))
  return await signInPage(deps, visit, { next, email: '' })
}

/** A new server has nobody who could sign in; the set-up link was printed where it was started. */
function nobodyYet(visit: Visit): Response {
  return html(
    <Layout visit={visit} title="Not set up yet" kind="alone">
      <div class="door">
        <h1>Not set up yet</h1>
        <p class="sub">
          This server has no account. Whoever started it finds a set-up link in its output; the link
          makes the first account and works once.
        </p>
        <p class="aside">
          The output has scrolled away? Start the server again: it prints a new link.
        </p>
      </div>
    </Layout>,
  )
}

export async function signIn(deps: Deps, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const next = ownPath(form.get('next'))
  const email = formField(form, 'email')
  try {
    const password = form.get('password') ?? ''
    return seeOther(next, await deps.authentication.signIn(visit.request, { email, password }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const page = await signInPage(
      deps,
      visit,
      { next, email, problem: error.message },
      error.status,
    )
    return untilLater(page, error)
  }
}

export async function signOut({ authentication }: Deps, { request }: Visit): Promise<Response> {
  const provider = (await authentication.signInFrom(request))?.provider
  const headers = await authentication.signOut(request)
  return seeOther(provider ? href.signedOutOf(provider) : paths.signIn, headers)
}

async function wayIn({ authentication: { company } }: Deps, id: string | null) {
  return id === null ? undefined : (await company.ways()).find((way) => way.id === id)
}

type View = { next: string; email: string; problem?: string }

async function signInPage(
  { authentication: { company } }: Deps,
  visit: Visit,
  view: View,
  status = 200,
): Promise<Response> {
  const { next, problem } = view
  const [local, ways] = await Promise.all([company.localSignIn(), company.ways()])
  // With the provider they would come back to the same question.
  const isConfirming = local !== 'nobody' && next.startsWith(href.confirmAccount(''))
  return html(
    <Layout visit={visit} title="Sign in" kind="alone" scripts={['passkey.js']}>
      <div class="door">
        <h1>Sign in</h1>
        {next.startsWith('/d/') && <p class="sub">An agent waits for your answer.</p>}
        {next.startsWith(`${paths.authorize}?`) && (
          <p class="sub">A client asks for access. You decide on the next page.</p>
        )}
        <Problem id="problem" hidden={!problem}>
          {problem}
        </Problem>
        <Left way={ways.find(({ id }) => id === visit.url.searchParams.get('left'))} />
        {isConfirming ? (
          <p class="sub">Without the provider this time, so that it is certain that this is you.</p>
        ) : (
          <Ways ways={ways} next={next} again={visit.url.searchParams.has('again')} />
        )}
        {local === 'everybody' && <Local view={view} isBeside={ways.length > 0 && !isConfirming} />}
        {local === 'owners' && (
          <details class="local" open={problem !== undefined || isConfirming}>
            <summary>Owners: sign in without it</summary>
            <Local view={view} isBeside={false} />
          </details>
        )}
      </div>
    </Layout>,
    status,
  )
}

/** Whoever signed out here may still be signed in at the provider. */
function Left({ way }: { way: Way | undefined }) {
  if (!way) return null
  return (
    <p class="sub">
      You are signed out here. <a href={href.signOutOf(way.id)}>Sign out of {way.name} as well</a>
    </p>
  )
}

/** Links, because a form may not lead to another site. */
function Ways({ ways, next, again }: { ways: readonly Way[]; next: string; again: boolean }) {
  if (ways.length === 0) return null
  return (
    <p class="ways">
      {ways.map(({ id, name }) => (
        <a
          class="button big primary"
          href={again ? href.signInAgainWith(id, next) : href.signInWith(id, next)}
        >
          Sign in with {name}
        </a>
      ))}
    </p>
  )
}

/** With a passkey, or with e-mail and password. */
function Local({ view: { next, email }, isBeside }: { view: View; isBeside: boolean }) {
  return (
    <>
      {isBeside && <p class="or">or with your own</p>}
      <div class="passkey" data-passkey="sign-in" data-next={next} hidden>
        <button type="button" class={`big ${isBeside ? 'plain' : 'primary'}`}>
          <Icon name="key" />
          Sign in with a passkey
        </button>
        <p class="or">or with your password</p>
      </div>
      <form method="post" action={paths.signIn}>
        <input type="hidden" name="next" value={next} />
        <FormField
          name="email"
          label="E-mail"
          type="email"
          draft={{ email }}
          required
          autocomplete="username webauthn"
          autocapitalize="none"
          spellcheck={false}
        />
        <FormField
          name="password"
          label="Password"
          type="password"
          required
          autocomplete="current-password"
        />
        <button type="submit" class="big">
          Sign in
        </button>
      </form>
      <p class="aside">
        Forgot it? On the server, <code>beckon user reset --email you@example.org</code> prints a
        new link.
      </p>
    </>
  )
}
