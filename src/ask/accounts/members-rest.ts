import { Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { personRoute } from '../rest/route.ts'
import { changeRole } from './change-role.ts'
import type { Person } from './person.ts'
import { listPeople } from './person-store.ts'

const Role = oneOf(['owner', 'member'])

const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Role,
})

export const getMembers = personRoute(
  {
    method: 'GET',
    path: '/members',
    summary: 'The people of this workspace.',
    result: Type.Object({ members: Type.Array(Member) }),
  },
  async (deps, { person }) => {
    const people = await listPeople(deps.db.read, person.workspaceId)
    return { members: people.map(shownMember) }
  },
)

export const patchMember = personRoute(
  {
    method: 'PATCH',
    path: '/members/:id',
    summary: 'Make somebody an owner or a member; one owner always stays.',
    needs: 'people',
    input: Type.Object({ role: Role }, { additionalProperties: false }),
    result: Member,
    problems: ['not_found', 'conflict'],
  },
  async (deps, { person, params, input: { role } }) =>
    shownMember(await changeRole(deps, person, { personId: params.id ?? '', role })),
)

function shownMember({ id, name, email, role }: Person) {
  return { id, name, email, role }
}
