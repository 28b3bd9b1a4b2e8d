/** @jsxImportSource preact */
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import {
  FormField,
  Problem,
  readForm,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther, untilLater } from '../../../platform/web/respond.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../accounts/model/person-rules.ts'
import { hasPassword } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Authentication } from '../authentication.ts'

type Deps = { db: Db; authentication: Pick<Authentication, 'changePassword'> }

const LABELS = {
  currentPassword: 'Current password',
  newPassword: 'New password',
}

type State = { wrong: Wrong; problem?: string; status: number }
const FINE: State = { wrong: new Map(), status: 200 }

/** `/settings/password`: changes the password of the person who is signed in. */
export function showOwnPassword(deps: Deps, visit: SignedIn): Promise<Response> {
  return passwordPage(deps, visit, FINE)
}

/** Changes the password and continues with a new sign-in; errors are shown beside their fields. */
export async function saveOwnPassword(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  // As typed: a space may be part of a password.
  const change = {
    currentPassword: form.get('currentPassword') ?? '',
    newPassword: form.get('newPassword') ?? '',
  }
  try {
    const headers = await deps.authentication.changePassword(visit.request, visit.person, change)
    return seeOther(`${paths.ownPassword}?changed`, headers)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return untilLater(await passwordPage(deps, visit, stateOf(error)), error)
  }
}

/** Words a failure for the page; failures that are not about this form are thrown on. */
function stateOf(failure: Failure): State {
  const { code, fields, message, status } = failure
  if (code === 'invalid_input') {
    return { wrong: new Map(fields.map(({ field, must }) => [field, `It ${must}.`])), status }
  }
  if (code !== 'rate_limited' && code !== 'conflict') throw failure
  return { wrong: FINE.wrong, problem: message, status }
}

async function passwordPage(deps: Deps, visit: SignedIn, state: State): Promise<Response> {
  const has = await hasPassword(deps.db.read, visit.person.id)
  return html(
    <Layout
      visit={visit}
      title="Password"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Password</h1>
        {has && (
          <p class="sub">
            A new one signs out every other browser and phone of yours. This one stays signed in.
          </p>
        )}
      </div>
      {has ? <ChangeForm visit={visit} state={state} /> : <NoPassword email={visit.person.email} />}
    </Layout>,
    state.status,
  )
}

function ChangeForm({ visit, state }: { visit: SignedIn; state: State }) {
  const { wrong, problem, status } = state
  const changed = status === 200 && visit.url.searchParams.has('changed')
  return (
    <div class="new">
      {changed && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Changed. Your other browsers and phones are signed out.</span>
        </p>
      )}
      {problem && <Problem>{problem}</Problem>}
      <WrongFields wrong={wrong} labels={LABELS} />
      <form method="post" action={paths.ownPassword} class={changed ? 'part' : undefined}>
        {/* Tells a password manager whose it is. */}
        <input type="hidden" name="email" value={visit.person.email} autocomplete="username" />
        <FormField
          name="currentPassword"
          label={LABELS.currentPassword}
          type="password"
          required
          autocomplete="current-password"
          wrong={wrong}
        />
        <FormField
          name="newPassword"
          label={LABELS.newPassword}
          type="password"
          required
          minLength={PASSWORD_MIN}
          maxLength={PASSWORD_MAX}
          autocomplete="new-password"
          ruleBelow
          wrong={wrong}
        >
          {PASSWORD_MIN} to {PASSWORD_MAX} characters.
        </FormField>
        <button type="submit" class="primary">
          Change the password
        </button>
      </form>
      <p class="part soft">
        Forgot it? On the server, <code>beckon user reset --email {visit.person.email}</code> prints
        a new link.
      </p>
    </div>
  )
}

function NoPassword({ email }: { email: string }) {
  return (
    <>
      <p>You have no password to change. You are signed in without one.</p>
      <p class="part soft">
        To have one: on the server, <code>beckon user reset --email {email}</code> prints a link to
        choose it. Your passkeys and sign-ins end when the link is used.
      </p>
    </>
  )
}
