/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { chosenFirst } from '../../pages/chosen-first.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import { changeGroup, type GroupDeps, readGroup, removeGroup } from '../groups.ts'
import type { Group, GroupId, GroupMember } from '../model/group.ts'
import { groupHref, groupPaths } from '../paths.ts'
import { sourceWords } from './source-words.ts'

type View = {
  /** The form as it was typed, if something is wrong with it. */
  draft?: { name: string; people: readonly string[] }
  wrong?: Wrong
  status?: number
}

/** `/settings/groups/ID`: its name and who is in it. */
export function showGroup(deps: GroupDeps, visit: SignedIn): Promise<Response> {
  return groupPage(deps, visit, {})
}

/** Saves name and people. */
export async function submitGroup(deps: GroupDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const draft = { name: formField(form, 'name'), people: form.getAll('person') }
  const seen = formField(form, 'seen')
  try {
    await changeGroup(deps, visit.person, idOf(visit), { ...draft, seen })
    return seeOther(groupPaths.groups)
  } catch (error) {
    if (!(error instanceof Failure) || !/invalid_input|conflict/.test(error.code)) throw error
    const [field] = error.fields ?? []
    const wrong = new Map([['name', field ? `It ${field.must}.` : error.message]])
    return groupPage(deps, visit, { draft, wrong, status: error.status })
  }
}

export async function submitRemoveGroup(deps: GroupDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeGroup(deps, visit.person, idOf(visit))
  return seeOther(groupPaths.groups)
}

function idOf({ params }: SignedIn): GroupId {
  return (params.id ?? '') as GroupId
}

async function groupPage({ db }: GroupDeps, visit: SignedIn, view: View): Promise<Response> {
  const { workspaceId } = visit.person
  const { group, members, seen } = await readGroup(db.read, workspaceId, idOf(visit))
  const people = await listPeople(db.read, workspaceId)
  const changes = may(visit.person, 'people') && group.source === 'hand'
  return html(
    <Layout
      visit={visit}
      title={group.name}
      section="settings"
      back={{ to: groupPaths.groups, name: 'Back to the groups' }}
    >
      <div class="page-head">
        <h1>
          <SafeText text={group.name} />
        </h1>
        {group.source !== 'hand' && (
          <p class="sub">This group comes {sourceWords(group.source)}; it is changed there.</p>
        )}
      </div>
      {group.source === 'hand' && !changes && <OwnersChange what="who is in it" />}
      {changes ? (
        <GroupForm {...{ group, members, people, seen, view }} />
      ) : (
        <MemberList members={members} people={people} />
      )}
      {changes && <RemoveForm group={group} />}
    </Layout>,
    view.status,
  )
}

type FormProps = {
  group: Group
  members: readonly GroupMember[]
  people: readonly Person[]
  seen: string
  view: View
}

function GroupForm({ group, members, people, seen, view }: FormProps) {
  const { draft, wrong } = view
  const byHand = members.filter(({ source }) => source === 'hand').map((one) => one.personId)
  const checked = new Set<PersonId>(draft?.people ?? byHand)
  return (
    <form method="post" action={groupHref.group(group.id)} class="requests">
      <input type="hidden" name="seen" value={seen} />
      <FormField
        name="name"
        label="Name"
        maxLength={60}
        required
        draft={{ name: draft?.name ?? group.name }}
        {...(wrong ? { wrong } : {})}
      >
        Rules that name this group follow a new name.
      </FormField>
      <fieldset class="switches">
        <legend>Who is in it</legend>
        {chosenFirst(people, checked).map(({ id, name, email }) => (
          <label>
            <input type="checkbox" name="person" value={id} checked={checked.has(id)} />
            <span>
              <SafeText text={name} />{' '}
              <span class="soft">
                {email}
                {alsoWords(members, id)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="buttons">
        <button type="submit" class="primary">
          Save
        </button>
      </div>
    </form>
  )
}

/** Says who else puts this person into the group: unchecking leaves that. */
function alsoWords(members: readonly GroupMember[], id: PersonId): string {
  const others = members.filter((one) => one.personId === id && one.source !== 'hand')
  return others.map(({ source }) => ` · also ${sourceWords(source)}`).join('')
}

function MemberList({ members, people }: Pick<FormProps, 'members' | 'people'>) {
  const ids = new Set(members.map(({ personId }) => personId))
  const inIt = people.filter(({ id }) => ids.has(id))
  if (inIt.length === 0) return <p class="soft">Nobody yet.</p>
  return (
    <ul class="rows">
      {inIt.map(({ name, email }) => (
        <li class="row">
          <div class="row-main">
            <span class="row-title">
              <SafeText text={name} />
            </span>
            <span class="row-sub">{email}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}

function RemoveForm({ group }: { group: Group }) {
  return (
    <details class="removing part">
      <summary>Remove this group</summary>
      <form method="post" action={groupHref.remove(group.id)}>
        <p>People stay. A rule that names this group lets nobody decide until it is changed.</p>
        <button type="submit" class="small bad">
          Remove
        </button>
      </form>
    </details>
  )
}
