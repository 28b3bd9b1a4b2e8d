/** @jsxImportSource preact */

import { readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { RemoveDeps } from '../remove-person.ts'
import { switchPerson } from '../switch-off.ts'

/** Switches somebody off; all that is theirs stays, and nothing of it works. */
export function submitSwitchOff(deps: RemoveDeps, visit: SignedIn): Promise<Response> {
  return submit(deps, visit, false)
}

export function submitSwitchOn(deps: RemoveDeps, visit: SignedIn): Promise<Response> {
  return submit(deps, visit, true)
}

async function submit(deps: RemoveDeps, visit: SignedIn, isOn: boolean): Promise<Response> {
  await readForm(visit.request)
  const id = visit.params.id ?? ''
  await switchPerson(deps, visit.person, id, isOn)
  return seeOther(personAt(id))
}

/** Where a person is in the list, on whichever page of it. */
export function personAt(id: PersonId): string {
  const person = encodeURIComponent(id)
  return `${paths.people}?person=${person}#person-${person}`
}

/** The button for somebody who can sign in. */
export function SwitchPerson({ id, isOff }: { id: PersonId; isOff: boolean }) {
  if (isOff) {
    return (
      <form method="post" action={href.switchPerson(id, 'on')}>
        <button type="submit" class="small">
          Switch on
        </button>
      </form>
    )
  }
  return (
    <details class="removing">
      <summary>Switch off</summary>
      <form method="post" action={href.switchPerson(id, 'off')}>
        <p>
          They are signed out, their tokens are refused, and what their agents asked is withdrawn.
          All that is theirs stays until you switch them on.
        </p>
        <button type="submit" class="small bad">
          Switch off
        </button>
      </form>
    </details>
  )
}
