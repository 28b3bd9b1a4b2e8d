/** @jsxImportSource preact */

import { wrongFields } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { listIdentities } from '../../accounts/model/identity-store.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { LOCAL_SIGN_IN, type LocalSignIn } from '../../sign-in/company-access.ts'
import { setLocalSignIn } from '../change-providers.ts'
import { disconnectAccount } from '../disconnect-account.ts'
import type { Provider } from '../model/provider.ts'
import { providersOf, readLocalSignIn } from '../providers.ts'
import type { SignInWithDeps } from '../sign-in-with.ts'

/** `/settings/sign-in`: one's own accounts; for owners the providers, and who signs in without. */
export async function showCompany(deps: SignInWithDeps, visit: SignedIn): Promise<Response> {
  const { person } = visit
  const { company } = deps.config
  const { read } = deps.db
  const [providers, identities, local] = await Promise.all([
    providersOf({ read, company }, person.workspaceId),
    listIdentities(read, person.id),
    readLocalSignIn({ read, company }),
  ])
  const labels = new Map(identities.map((one) => [one.provider, one.label]))
  return html(
    <Layout
      visit={visit}
      title="Company sign-in"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Company sign-in</h1>
        <p class="sub">
          People sign in through the provider of your company, in place of a password or passkey.
        </p>
      </div>
      {providers.length > 0 && <Own providers={providers} labels={labels} personId={person.id} />}
      {may(person, 'companySignIn') ? (
        <>
          <Providers providers={providers} />
          <Local local={local} isFixed={company.local !== undefined} />
        </>
      ) : (
        providers.length === 0 && <p class="soft">Owners have set up no provider.</p>
      )}
    </Layout>,
  )
}

type OwnProps = { providers: Provider[]; labels: ReadonlyMap<string, string>; personId: string }

function Own({ providers, labels, personId }: OwnProps) {
  return (
    <section class="part" aria-labelledby="own-title">
      <h2 id="own-title">Your accounts</h2>
      <ul class="rows">
        {providers.map(({ id, name }) => (
          <li class="row">
            <div class="row-main">
              <span class="row-title">
                <SafeText text={name} />
              </span>
              <span class="row-sub">
                <SafeText text={labels.get(id) ?? 'Not connected'} />
              </span>
            </div>
            {labels.has(id) ? (
              <form method="post" action={href.disconnect(id)} class="row-side">
                <input type="hidden" name="person" value={personId} />
                <button type="submit" class="small">
                  Disconnect
                </button>
              </form>
            ) : (
              <a class="button small" href={href.connectAccount(id)}>
                Connect
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Providers({ providers }: { providers: Provider[] }) {
  return (
    <section class="part" aria-labelledby="providers-title">
      <h2 id="providers-title">Providers</h2>
      <ul class="rows">
        {providers.map(({ id, name, issuer, isFixed }) => (
          <li class="row">
            <a class="row-main" href={href.provider(id)}>
              <span class="row-title">
                <SafeText text={name} />
              </span>
              <span class="row-sub">
                <SafeText text={issuer} />
                {isFixed && ', from the environment'}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={paths.newProvider}>
          Set up a provider
        </a>
      </p>
    </section>
  )
}

const LOCAL_WORDS: Record<LocalSignIn, string> = {
  everybody: 'Everybody',
  owners: 'Owners alone, for the day on which the provider is down',
  nobody: 'Nobody: if the provider is down, no one gets in',
}

function Local({ local, isFixed }: { local: LocalSignIn; isFixed: boolean }) {
  return (
    <form method="post" action={paths.localSignIn} class="part requests">
      <fieldset class="switches" disabled={isFixed}>
        <legend>Who signs in with a password or passkey</legend>
        {LOCAL_SIGN_IN.map((one) => (
          <label>
            <input type="radio" name="local" value={one} checked={one === local} />
            {LOCAL_WORDS[one]}
          </label>
        ))}
      </fieldset>
      <p class="soft">
        {isFixed ? (
          'Set in the environment of the server.'
        ) : (
          <>
            To leave anybody out, sign in through a provider first. The link of{' '}
            <code>beckon user reset</code> always works.
          </>
        )}
      </p>
      {!isFixed && <button type="submit">Save</button>}
    </form>
  )
}

export async function submitLocal(deps: SignInWithDeps, visit: SignedIn): Promise<Response> {
  const value = formField(await readForm(visit.request), 'local')
  const local = LOCAL_SIGN_IN.find((one) => one === value)
  if (!local) {
    throw wrongFields([{ field: 'local', must: `must be ${LOCAL_SIGN_IN.join(', ')}` }])
  }
  const signIn = await deps.authentication.signInFrom(visit.request)
  await setLocalSignIn(deps, visit.person, local, signIn?.provider ?? null)
  return seeOther(paths.company)
}

export async function submitDisconnect(deps: SignInWithDeps, visit: SignedIn): Promise<Response> {
  const personId = formField(await readForm(visit.request), 'person')
  const provider = visit.params.id ?? ''
  await disconnectAccount(deps, visit.person, { provider, personId })
  return seeOther(personId === visit.person.id ? paths.company : href.provider(provider))
}
