/** @jsxImportSource preact */
import { Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { listPasskeys, type Passkey } from '../../accounts/model/passkey-store.ts'
import { hasPassword } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { type Authentication, mayAddPasskey } from '../authentication.ts'
import { readSignInsPart, type SignInDeps } from './sign-ins.tsx'

type Deps = SignInDeps & { authentication: Pick<Authentication, 'removePasskey'> }

/** `/settings/passkeys`: the person's own passkeys, and where they are signed in. */
export async function showPasskeys(deps: Deps, visit: SignedIn): Promise<Response> {
  const { id } = visit.person
  const current = await deps.authentication.signInFrom(visit.request)
  const mayAdd = !current || mayAddPasskey(current, visit.moment.now)
  const [passkeys, password, signIns] = await Promise.all([
    listPasskeys(deps.db.read, id),
    hasPassword(deps.db.read, id),
    readSignInsPart(deps, visit),
  ])
  const only = passkeys.length === 1 && !password
  return html(
    <Layout
      visit={visit}
      title="Passkeys and sign-ins"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
      scripts={['passkey.js']}
    >
      <div class="page-head">
        <h1>Passkeys and sign-ins</h1>
        <p class="sub">
          A passkey signs you in without a password. Remove those of lost and sold devices.
        </p>
      </div>
      <Done said={visit.url.searchParams} />
      {mayAdd ? (
        <div class="passkey" data-passkey="add" hidden>
          <button type="button">
            <Icon name="plus" />
            Add a passkey
          </button>
          <p class="rule" id="passkey-said" role="status" />
        </div>
      ) : (
        <p>
          <a class="button" href={href.signInAgain(paths.passkeys)}>
            Sign in again to add a passkey
          </a>
        </p>
      )}
      <Problem id="problem" hidden />
      {passkeys.length === 0 && <p>You have no passkey.</p>}
      <ul class="things">
        {passkeys.map((passkey) => (
          <PasskeyCard passkey={passkey} only={only} moment={visit.moment} />
        ))}
      </ul>
      {signIns}
    </Layout>,
  )
}

function Done({ said: query }: { said: URLSearchParams }) {
  const words = WORDS.find(([name]) => query.has(name))?.[1]
  if (!words) return null
  return (
    <p class="result good" role="status">
      <Icon name="check" />
      <span>{words}</span>
    </p>
  )
}

const WORDS = [
  ['removed', 'Removed. A browser that is signed in stays so until you sign it out below.'],
  ['out', 'It is signed out.'],
  ['ended', 'Your other browsers and phones are signed out.'],
] as const

type CardProps = { passkey: Passkey; only: boolean; moment: Moment }

function PasskeyCard({ passkey: { id, name, createdAt }, only, moment }: CardProps) {
  return (
    <li class="thing">
      <div>
        <p class="thing-name">
          <b>{name || 'Passkey'}</b>
        </p>
        <p class="soft">
          {createdAt && (
            <>
              Added <Ago at={createdAt.getTime()} moment={moment} />
            </>
          )}
          {only && ' · your only way to sign in'}
        </p>
      </div>
      {!only && (
        <div class="thing-do">
          <details class="removing">
            <summary>Remove</summary>
            <form method="post" action={href.removePasskey(id)}>
              <p>
                It no longer signs you in. Your device may still offer it until you delete it there.
              </p>
              <button type="submit" class="small bad">
                Remove the passkey
              </button>
            </form>
          </details>
        </div>
      )}
    </li>
  )
}

/** Removes a passkey; what it signed in stays signed in. */
export async function submitRemovePasskey(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const { request, person, params } = visit
  await deps.authentication.removePasskey(request, person, params.id ?? '')
  return seeOther(`${paths.passkeys}?removed`)
}
