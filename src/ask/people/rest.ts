import { Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { type Person, ROLES } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { changeRole } from './people.ts'
import type { RemoveDeps } from './remove-person.ts'

type Deps = RemoveDeps

const Role = oneOf(ROLES)

const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Role,
})

const getMembers = personRoute(
  {
    method: 'GET',
    path: '/members',
    summary: 'The people of this workspace.',
    result: Type.Object({ members: Type.Array(Member) }),
  },
  async (deps: Deps, { person }) => {
    const people = await listPeople(deps.db.read, person.workspaceId)
    return { members: people.map(shownMember) }
  },
)

const patchMember = personRoute(
  {
    method: 'PATCH',
    path: '/members/:id',
    summary: 'Make somebody an owner, a member or an auditor; one owner always stays.',
    needs: 'people',
    input: Type.Object({ role: Role }, { additionalProperties: false }),
    result: Member,
    problems: ['not_found', 'conflict'],
  },
  async (deps: Deps, { person, params, input: { role } }) =>
    shownMember(await changeRole(deps, person, { personId: params.id ?? '', role })),
)

function shownMember({ id, name, email, role }: Person) {
  return { id, name, email, role }
}

export function peopleRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getMembers, patchMember])
}
