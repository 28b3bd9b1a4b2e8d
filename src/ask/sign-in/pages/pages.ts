import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Limited } from '../../accounts/charge-token.ts'
import { leads, open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import {
  saveRole,
  showPeople,
  submitInvitation,
  submitInviteAgain,
} from '../../people/pages/people.tsx'
import { showRemovePerson, submitRemovePerson } from '../../people/pages/remove-person.tsx'
import type { RemoveDeps } from '../../people/remove-person.ts'
import {
  showTokens,
  submitEmptyToken,
  submitNewToken,
  submitRevokeToken,
} from '../../tokens/pages/tokens.tsx'
import type { Authentication } from '../authentication.ts'
import { saveOwnPassword, showOwnPassword } from './own-password.tsx'
import { connectPhone, endPairing, showConnectPhone, showPairing } from './pairing.tsx'
import { showPasskeys, submitRemovePasskey } from './passkeys.tsx'
import { showSetup, submitSetUp } from './setup.tsx'
import { showSignIn, signIn, signOut } from './sign-in.tsx'
import { submitEndSignIn, submitSignOutElsewhere } from './sign-ins.tsx'

type Deps = {
  db: Db
  clock: Clock
  limited: Limited
  authentication: Authentication
  personGone: RemoveDeps['personGone']
  baseUrl: string
  oauth: boolean
}

export function accountPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    own('GET', paths.tokens, showTokens),
    own('POST', paths.tokens, submitNewToken),
    own('POST', paths.revokeToken, submitRevokeToken),
    own('POST', paths.emptyToken, submitEmptyToken),
    own('GET', paths.people, showPeople),
    leads(paths.personRole, () => paths.people),
    own('POST', paths.personRole, saveRole, 'people'),
    own('POST', paths.people, submitInvitation, 'people'),
    leads(paths.inviteAgain, () => paths.people),
    own('POST', paths.inviteAgain, submitInviteAgain, 'people'),
    own('GET', paths.removePerson, showRemovePerson, 'people'),
    own('POST', paths.removePerson, submitRemovePerson, 'people'),
    own('GET', paths.ownPassword, showOwnPassword),
    own('POST', paths.ownPassword, saveOwnPassword),
    own('GET', paths.passkeys, showPasskeys),
    leads(paths.removePasskey, () => paths.passkeys),
    own('POST', paths.removePasskey, submitRemovePasskey),
    leads(paths.signOutElsewhere, () => paths.passkeys),
    own('POST', paths.signOutElsewhere, submitSignOutElsewhere),
    leads(paths.endSignIn, () => paths.passkeys),
    own('POST', paths.endSignIn, submitEndSignIn),
    own('GET', paths.beginPairing, showConnectPhone),
    own('POST', paths.beginPairing, connectPhone),
    own('GET', paths.pairing, showPairing),
    leads(paths.cancelPairing, (id) => `/settings/pair/${id}`),
    own('POST', paths.cancelPairing, endPairing),
    open('GET', paths.signIn, showSignIn),
    open('POST', paths.signIn, signIn),
    open('POST', paths.signOut, signOut),
    open('GET', paths.setup, showSetup),
    open('POST', paths.setup, submitSetUp),
  ])
}
