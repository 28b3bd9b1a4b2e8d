import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignInWithDeps } from '../sign-in-with.ts'
import { showCompany, submitDisconnect, submitLocal } from './company.tsx'
import { showNewProvider, showProvider, submitProvider, submitRemoveProvider } from './provider.tsx'
import { showConfirm, showSignInBack, showSignInWith, submitConfirm } from './sign-in-with.tsx'

export function companyPages(deps: SignInWithDeps): Page[] {
  return pagesWith(deps, [
    publicPage('GET', paths.signInWith, showSignInWith),
    publicPage('GET', paths.signInBack, showSignInBack),
    publicPage('GET', paths.confirmAccount, showConfirm),
    publicPage('POST', paths.confirmAccount, submitConfirm),
    signedInPage('GET', paths.company, showCompany),
    redirectTo(paths.localSignIn, () => paths.company),
    signedInPage('POST', paths.localSignIn, submitLocal, 'companySignIn'),
    signedInPage('GET', paths.newProvider, showNewProvider, 'companySignIn'),
    signedInPage('POST', paths.newProvider, submitProvider, 'companySignIn'),
    signedInPage('GET', paths.provider, showProvider, 'companySignIn'),
    signedInPage('POST', paths.provider, submitProvider, 'companySignIn'),
    redirectTo(paths.removeProvider, href.provider),
    signedInPage('POST', paths.removeProvider, submitRemoveProvider, 'companySignIn'),
    redirectTo(paths.disconnect, () => paths.company),
    signedInPage('POST', paths.disconnect, submitDisconnect),
  ])
}
