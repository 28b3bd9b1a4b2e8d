/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'

import { wrongFields } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.ts'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { changeRole } from '../change-role.ts'
import { may } from '../model/may.ts'
import type { Person, Role } from '../model/person.ts'
import { listPeople } from '../model/person-store.ts'
import { OwnersChange } from './owners-change.tsx'

type Deps = { db: Db; clock: Clock }

/** `/settings/people`: who can sign in here, and who is an owner. */
export async function showPeople(deps: Deps, visit: SignedIn): Promise<Response> {
  const people = await listPeople(deps.db.read, visit.person.workspaceId)
  const owners = people.filter(({ role }) => role === 'owner').length
  const changes = may(visit.person, 'people')
  return html(
    <Layout
      visit={visit}
      title="People"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>People</h1>
        <p class="sub">
          Everyone here answers questions. Owners also change the policy, the rules and what is
          connected.
        </p>
      </div>
      {!changes && <OwnersChange what="who is an owner" />}
      <ul class="things">
        {people.map((person) => (
          <PersonCard
            person={person}
            self={person.id === visit.person.id}
            changes={changes}
            isLastOwner={person.role === 'owner' && owners === 1}
          />
        ))}
      </ul>
      <section class="part">
        <h2>Add somebody</h2>
        <p>
          On the server <code>beckon user add</code> adds a person, and{' '}
          <code>beckon user reset</code> lets somebody sign in again.
        </p>
      </section>
    </Layout>,
  )
}

/** Makes somebody an owner or a member. */
export async function saveRole(deps: Deps, visit: SignedIn): Promise<Response> {
  const role = formField(await readForm(visit.request), 'role')
  if (role !== 'owner' && role !== 'member') {
    throw wrongFields([{ field: 'role', must: 'must be owner or member' }])
  }
  const personId = visit.params.id ?? ''
  await changeRole(deps, visit.person, { personId, role })
  // Owners who gave up the role themselves see the page as a member does.
  return seeOther(`${paths.people}#person-${encodeURIComponent(personId)}`)
}

function PersonCard(props: {
  person: Person
  self: boolean
  changes: boolean
  isLastOwner: boolean
}) {
  const { person, self, changes, isLastOwner } = props
  const { id, name, email, role } = person
  return (
    <li class="thing" id={`person-${id}`} data-move>
      <div>
        <p class="thing-name">
          <b>{name}</b> {self && '(you)'}
        </p>
        <p class="soft">
          {email} · {role}
          {changes && isLastOwner && ', the only one'}
        </p>
      </div>
      {changes && !isLastOwner && <OtherRole person={person} />}
    </li>
  )
}

function OtherRole({ person: { id, name, role } }: { person: Person }) {
  const other: Role = role === 'owner' ? 'member' : 'owner'
  return (
    <details class="removing">
      <summary>{role === 'owner' ? 'Make a member' : 'Make an owner'}</summary>
      <form method="post" action={href.personRole(id)}>
        <input type="hidden" name="role" value={other} />
        <p>
          {role === 'owner'
            ? 'They still answer questions, but can no longer change how this server works.'
            : 'They can do everything that you can, including making you a member.'}
        </p>
        <button type="submit" class="small">
          {role === 'owner' ? `Make ${name} a member` : `Make ${name} an owner`}
        </button>
      </form>
    </details>
  )
}
