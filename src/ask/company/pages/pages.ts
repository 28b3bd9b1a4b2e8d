import { type Page, pagesWith, publicPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { SignInWithDeps } from '../sign-in-with.ts'
import { showConfirm, showSignInBack, showSignInWith, submitConfirm } from './sign-in-with.tsx'

export function companyPages(deps: SignInWithDeps): Page[] {
  return pagesWith(deps, [
    publicPage('GET', paths.signInWith, showSignInWith),
    publicPage('GET', paths.signInBack, showSignInBack),
    publicPage('GET', paths.confirmAccount, showConfirm),
    publicPage('POST', paths.confirmAccount, submitConfirm),
  ])
}
