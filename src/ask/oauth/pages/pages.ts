import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showClients, submitNewClient, submitRemoveClient } from './clients.tsx'
import { type ConsentDeps, showConsent, submitConsent } from './consent.tsx'

export function oauthPages(deps: ConsentDeps): Page[] {
  return pagesWith(deps, [
    publicPage('GET', paths.authorize, showConsent),
    signedInPage('POST', paths.authorize, submitConsent),
    signedInPage('GET', paths.clients, showClients, 'clients'),
    signedInPage('POST', paths.clients, submitNewClient, 'clients'),
    redirectTo(paths.removeClient, () => paths.clients),
    signedInPage('POST', paths.removeClient, submitRemoveClient, 'clients'),
  ])
}
