/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { type Draft, FormField, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { Adding, Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { addGroup, type GroupDeps } from '../groups.ts'
import type { Group } from '../model/group.ts'
import { listGroupMembers, listGroups } from '../model/store.ts'
import { groupHref, groupPaths } from '../paths.ts'
import { sourceWords } from './source-words.ts'

const FINE: Wrong = new Map()

/** `/settings/groups`: the groups of people and who is in them. */
export function showGroups(deps: GroupDeps, visit: SignedIn): Promise<Response> {
  return groupsPage(deps, visit, {}, FINE)
}

/** Makes a group and opens it. */
export async function submitNewGroup(deps: GroupDeps, visit: SignedIn): Promise<Response> {
  const draft = readDraft(await readForm(visit.request), ['name'])
  try {
    const { id } = await addGroup(deps, visit.person, draft.name ?? '')
    return seeOther(groupHref.group(id))
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const [wrong] = error.fields ?? []
    const sentence = wrong ? `It ${wrong.must}.` : error.message
    return groupsPage(deps, visit, draft, new Map([['name', sentence]]), error.status)
  }
}

async function groupsPage(
  { db }: GroupDeps,
  visit: SignedIn,
  draft: Draft,
  wrong: Wrong,
  status = 200,
): Promise<Response> {
  const { workspaceId } = visit.person
  const groups = await listGroups(db.read, workspaceId)
  const members = await listGroupMembers(db.read, workspaceId)
  const people = await listPeople(db.read, workspaceId)
  const changes = may(visit.person, 'people')
  const peopleOf = (group: Group) => {
    const ids = new Set(members.filter((one) => one.groupId === group.id).map((m) => m.personId))
    return people.filter(({ id }) => ids.has(id))
  }
  return html(
    <Layout
      visit={visit}
      title="Groups"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Groups</h1>
        <p class="sub">Rules name a group where only some people may decide.</p>
      </div>
      {!changes && <OwnersChange what="groups" />}
      {changes && (
        <Adding name="Add a group" open={wrong.size > 0}>
          <form method="post" action={groupPaths.groups} class="requests">
            <FormField name="name" label="Name" maxLength={60} draft={draft} wrong={wrong} required>
              Such as engineers or managers.
            </FormField>
            <button type="submit" class="primary">
              Add
            </button>
          </form>
        </Adding>
      )}
      {groups.length === 0 ? (
        <Empty icon="sessions" title="No groups yet">
          Without groups and rules, everyone here may answer everything.
        </Empty>
      ) : (
        <ul class="things">
          {groups.map((group) => (
            <GroupCard group={group} people={peopleOf(group)} />
          ))}
        </ul>
      )}
    </Layout>,
    status,
  )
}

// The names that a card shows.
const NAMES_MAX = 8

function GroupCard({ group, people }: { group: Group; people: readonly Person[] }) {
  const more = people.length - NAMES_MAX
  return (
    <li class="thing" id={group.id}>
      <div>
        <p class="thing-name">
          <a href={groupHref.group(group.id)}>
            <SafeText text={group.name} />
          </a>
        </p>
        <p class="soft">
          {people.length === 0 && 'Nobody yet'}
          <SafeText
            text={people
              .slice(0, NAMES_MAX)
              .map(({ name }) => name)
              .join(', ')}
          />
          {more > 0 && ` and ${more} more`}
          {group.source !== 'hand' && ` · ${sourceWords(group.source)}`}
        </p>
      </div>
    </li>
  )
}
