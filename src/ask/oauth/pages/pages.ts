import { open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { type ConsentDeps, showConsent, submitConsent } from './consent.tsx'

export function oauthPages(deps: ConsentDeps): Page[] {
  return pagesWith(deps, [
    open('GET', paths.authorize, showConsent),
    own('POST', paths.authorize, submitConsent),
  ])
}
