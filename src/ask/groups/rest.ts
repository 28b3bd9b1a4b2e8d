import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { wrongFields } from '../../platform/failure.ts'
import type { Person } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { addGroup, changeGroup, type GroupDeps, readGroup, removeGroup } from './groups.ts'
import type { Group, GroupId, GroupMember } from './model/group.ts'
import { listGroupMembers, listGroups } from './model/store.ts'

const name = Type.String({ minLength: 1, maxLength: 60 })

const ShownGroup = Type.Object({
  id: Type.String({ description: 'Rules name it by this.' }),
  name: Type.String(),
  source: Type.String({
    description: 'hand, file, provider:ID or directory:ID. Only one by hand is changed here.',
  }),
  people: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      sources: Type.Array(Type.String(), { description: 'Who put them into it.' }),
    }),
  ),
  createdAt: Type.String({ format: 'date-time' }),
})

const getGroups = personRoute(
  {
    method: 'GET',
    path: '/groups',
    summary: 'The groups that rules name, by name, and who is in them.',
    result: Type.Object({ groups: Type.Array(ShownGroup) }),
  },
  async ({ db }: GroupDeps, { person: { workspaceId } }) => {
    const [groups, members] = [
      await listGroups(db.read, workspaceId),
      await listGroupMembers(db.read, workspaceId),
    ]
    const names = await readNames({ db }, workspaceId)
    return { groups: groups.map((group) => shownGroup(group, members, names)) }
  },
)

const getGroup = personRoute(
  {
    method: 'GET',
    path: '/groups/:id',
    summary: 'One group, and who is in it.',
    result: ShownGroup,
    problems: ['not_found'],
  },
  (deps: GroupDeps, { person, params }) => readShown(deps, person, params.id as GroupId),
)

const postGroup = personRoute(
  {
    method: 'POST',
    path: '/groups',
    summary: 'Make an empty group.',
    needs: 'people',
    input: Type.Object({ name }, { additionalProperties: false }),
    result: ShownGroup,
    status: 201,
    problems: ['conflict'],
  },
  async (deps: GroupDeps, { person, input }) =>
    shownGroup(await addGroup(deps, person, input.name), [], new Map()),
)

const patchGroup = personRoute(
  {
    method: 'PATCH',
    path: '/groups/:id',
    summary: 'Rename a group, or replace the people who are in it by hand.',
    needs: 'people',
    input: Type.Object(
      {
        name: Type.Optional(name),
        people: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 500,
            description: 'Their ids. Those of a directory or provider stay.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    result: ShownGroup,
    problems: ['not_found', 'conflict'],
  },
  async (deps: GroupDeps, { person, params, input }) => {
    const id = params.id as GroupId
    const { group, members, seen } = await readGroup(deps.db.read, person.workspaceId, id)
    const byHand = members.filter(({ source }) => source === 'hand').map((one) => one.personId)
    const { name = group.name, people = byHand } = input
    const names = await readNames(deps, person.workspaceId)
    if (input.people?.some((one) => !names.has(one)))
      throw wrongFields([{ field: 'people', must: 'must be ids of people of this workspace' }])
    await changeGroup(deps, person, id, { name, people, seen })
    return await readShown(deps, person, id)
  },
)

const deleteGroup = personRoute(
  {
    method: 'DELETE',
    path: '/groups/:id',
    summary: 'Remove a group; a rule that names it then has nobody of it.',
    needs: 'people',
    problems: ['not_found', 'conflict'],
  },
  (deps: GroupDeps, { person, params }) => removeGroup(deps, person, params.id as GroupId),
)

async function readShown({ db }: Pick<GroupDeps, 'db'>, { workspaceId }: Person, id: GroupId) {
  const { group, members } = await readGroup(db.read, workspaceId, id)
  return shownGroup(group, members, await readNames({ db }, workspaceId))
}

async function readNames({ db }: Pick<GroupDeps, 'db'>, workspaceId: Person['workspaceId']) {
  return new Map((await listPeople(db.read, workspaceId)).map((one) => [one.id, one.name]))
}

function shownGroup(
  { id, name, source, createdAt }: Group,
  all: readonly GroupMember[],
  names: ReadonlyMap<string, string>,
): Static<typeof ShownGroup> {
  const members = Map.groupBy(
    all.filter(({ groupId }) => groupId === id),
    ({ personId }) => personId,
  )
  const people = [...members].map(([personId, rows]) => ({
    id: personId,
    name: names.get(personId) ?? '',
    sources: rows.map((one) => one.source),
  }))
  return { id, name, source, people, createdAt: isoTime(createdAt) }
}

export function groupRoutes(deps: GroupDeps): Route[] {
  return withDeps(deps, [getGroups, getGroup, postGroup, patchGroup, deleteGroup])
}
