import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
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
  authentication: Authentication
  baseUrl: string
}

export function signInPages(deps: Deps): Page[] {
  return pagesWith(deps, [
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
