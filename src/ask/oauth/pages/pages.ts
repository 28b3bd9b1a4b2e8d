import { leads, open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showClients, submitNewClient, submitRemoveClient } from './clients.tsx'
import { type ConsentDeps, showConsent, submitConsent } from './consent.tsx'

export function oauthPages(deps: ConsentDeps): Page[] {
  return pagesWith(deps, [
    open('GET', paths.authorize, showConsent),
    own('POST', paths.authorize, submitConsent),
    own('GET', paths.clients, showClients, 'clients'),
    own('POST', paths.clients, submitNewClient, 'clients'),
    leads(paths.removeClient, () => paths.clients),
    own('POST', paths.removeClient, submitRemoveClient, 'clients'),
  ])
}
