import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Limited } from '../../accounts/charge-token.ts'
import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
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
    signedInPage('GET', paths.tokens, showTokens),
    signedInPage('POST', paths.tokens, submitNewToken),
    signedInPage('POST', paths.revokeToken, submitRevokeToken),
    signedInPage('POST', paths.emptyToken, submitEmptyToken),
    signedInPage('GET', paths.people, showPeople),
    redirectTo(paths.personRole, () => paths.people),
    signedInPage('POST', paths.personRole, saveRole, 'people'),
    signedInPage('POST', paths.people, submitInvitation, 'people'),
    redirectTo(paths.inviteAgain, () => paths.people),
    signedInPage('POST', paths.inviteAgain, submitInviteAgain, 'people'),
    signedInPage('GET', paths.removePerson, showRemovePerson, 'people'),
    signedInPage('POST', paths.removePerson, submitRemovePerson, 'people'),
    signedInPage('GET', paths.ownPassword, showOwnPassword),
    signedInPage('POST', paths.ownPassword, saveOwnPassword),
    signedInPage('GET', paths.passkeys, showPasskeys),
    redirectTo(paths.removePasskey, () => paths.passkeys),
    signedInPage('POST', paths.removePasskey, submitRemovePasskey),
    redirectTo(paths.signOutElsewhere, () => paths.passkeys),
    signedInPage('POST', paths.signOutElsewhere, submitSignOutElsewhere),
    redirectTo(paths.endSignIn, () => paths.passkeys),
    signedInPage('POST', paths.endSignIn, submitEndSignIn),
    signedInPage('GET', paths.beginPairing, showConnectPhone),
    signedInPage('POST', paths.beginPairing, connectPhone),
    signedInPage('GET', paths.pairing, showPairing),
    redirectTo(paths.cancelPairing, (id) => `/settings/pair/${id}`),
    signedInPage('POST', paths.cancelPairing, endPairing),
    publicPage('GET', paths.signIn, showSignIn),
    publicPage('POST', paths.signIn, signIn),
    publicPage('POST', paths.signOut, signOut),
    publicPage('GET', paths.setup, showSetup),
    publicPage('POST', paths.setup, submitSetUp),
  ])
}
