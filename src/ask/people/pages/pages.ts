import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { RemoveDeps } from '../remove-person.ts'
import { saveRole, showPeople, submitInvitation, submitInviteAgain } from './people.tsx'
import { showRemovePerson, submitRemovePerson } from './remove-person.tsx'
import { submitSwitchOff, submitSwitchOn } from './switch-person.tsx'

export type PeoplePageDeps = RemoveDeps & { baseUrl: string }

export function peoplePages(deps: PeoplePageDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.people, showPeople),
    redirectTo(paths.personRole, () => paths.people),
    signedInPage('POST', paths.personRole, saveRole, 'people'),
    signedInPage('POST', paths.people, submitInvitation, 'people'),
    redirectTo(paths.inviteAgain, () => paths.people),
    signedInPage('POST', paths.inviteAgain, submitInviteAgain, 'people'),
    redirectTo(paths.switchOff, () => paths.people),
    signedInPage('POST', paths.switchOff, submitSwitchOff, 'people'),
    redirectTo(paths.switchOn, () => paths.people),
    signedInPage('POST', paths.switchOn, submitSwitchOn, 'people'),
    signedInPage('GET', paths.removePerson, showRemovePerson, 'people'),
    signedInPage('POST', paths.removePerson, submitRemovePerson, 'people'),
  ])
}
