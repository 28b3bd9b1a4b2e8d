/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther, untilLater } from '../../../platform/web/respond.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { PASSWORD_MIN } from '../../accounts/model/person-rules.ts'
import { whoCanSignIn } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { Visit } from '../../pages/visit.ts'
import type { Authentication } from '../authentication.ts'
import { readInvitation, type SetUpInvitation, setFirstPassword } from '../set-up.ts'

type Deps = { db: Db; clock: Clock; authentication: Pick<Authentication, 'setUp'> }

type State = { code: string; name: string; email: string; problem?: string }

/**
 * `/setup?key=…`: the one-time link that creates the owner, or lets an added person in. A used link
 * leads signed-in people to the home page: they came back to it after it let them in.
 */
export async function showSetup(deps: Deps, visit: Visit): Promise<Response> {
  const code = visit.url.searchParams.get('key') ?? ''
  const invited = await findOpened(deps, visit, code)
  if (!invited && visit.person) return seeOther(paths.home)
  const { invitation } = invited ?? spentFailure()
  const initial = invitation.kind === 'password' ? invitation : { name: '', email: '' }
  return setupPage(visit, invitation, { code, name: initial.name, email: initial.email })
}

export async function submitSetUp(deps: Deps, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const code = formField(form, 'code')
  const { invitation, unfinished } = (await findOpened(deps, visit, code)) ?? spentFailure()
  const state = { code, name: formField(form, 'name'), email: formField(form, 'email') }
  try {
    // No password at all: the script of this page registers a passkey right after.
    const password = form.get('password') ?? undefined
    if (unfinished) {
      await setFirstPassword(deps, unfinished, password ?? '')
      return seeOther(paths.home)
    }
    return seeOther(
      paths.home,
      await deps.authentication.setUp(visit.request, { ...state, password }),
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const page = setupPage(visit, invitation, { ...state, problem: error.message }, error.status)
    return untilLater(page, error)
  }
}

type Opened = { invitation: SetUpInvitation; unfinished?: PersonId }

/**
 * Finds the invitation that the link opens, if any. A used link still opens for the person it
 * signed in if their passkey was never created: while signed in they choose a password instead.
 */
async function findOpened(
  deps: Deps,
  { person }: Visit,
  code: string,
): Promise<Opened | undefined> {
  const invitation = await readInvitation(deps, code)
  if (invitation) return { invitation }
  if (person && !(await whoCanSignIn(deps.db.read, person.id)).has(person.id)) {
    const { id, name, email } = person
    return { invitation: { kind: 'password', name, email, isNew: false }, unfinished: id }
  }
  return undefined
}

function spentFailure(): never {
  throw new Failure(
    'gone',
    'This link has been used, has expired, or is incomplete. Sign in if you have an account; otherwise take the newest link from the server’s output, or make one with beckon user add.',
  )
}

function setupPage(visit: Visit, invitation: SetUpInvitation, state: State, status = 200) {
  const owner = invitation.kind === 'owner'
  return html(
    <Layout
      visit={{ ...visit, person: undefined }}
      title="Set up"
      kind="alone"
      scripts={['passkey.js']}
    >
      <div class="door">
        <h1>{owner ? 'Welcome' : `Welcome, ${invitation.name}`}</h1>
        <p class="sub">
          {owner
            ? 'Your agents ask, you answer. This account owns the server.'
            : `You answer questions of coding agents here, as ${invitation.email}. Choose how to sign in.`}
        </p>
        <Problem id="problem" hidden={!state.problem}>
          {state.problem}
        </Problem>
        <form method="post" action={paths.setup}>
          <input type="hidden" name="code" value={state.code} />
          {owner && <OwnerFields state={state} />}
          {!owner && invitation.isNew && <NameField state={state} />}
          {!owner && (
            <input type="hidden" name="email" value={state.email} autocomplete="username" />
          )}
          <FormField
            name="password"
            label="Password"
            type="password"
            required
            minLength={PASSWORD_MIN}
            autocomplete="new-password"
            ruleBelow
          >
            At least {PASSWORD_MIN} characters.
          </FormField>
          <button type="submit" class="big primary">
            {owner ? 'Create the account' : 'Set the password'}
          </button>
        </form>
        <div class="passkey" data-passkey="set-up" hidden>
          <p class="or">or without a password</p>
          <button type="button" class="big plain">
            <Icon name="key" />
            Use a passkey
          </button>
        </div>
      </div>
    </Layout>,
    status,
  )
}

function NameField({ state }: { state: State }) {
  return (
    <FormField
      name="name"
      label="Name"
      draft={{ name: state.name }}
      required
      maxLength={100}
      autocomplete="name"
    />
  )
}

function OwnerFields({ state }: { state: State }) {
  return (
    <>
      <NameField state={state} />
      <FormField
        name="email"
        label="E-mail"
        type="email"
        draft={{ email: state.email }}
        required
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        ruleBelow
      >
        For signing in. Mail is sent to it only if you add it as a device.
      </FormField>
    </>
  )
}
