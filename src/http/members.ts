import { Type } from '@sinclair/typebox'
import { listPeople } from '../accounts/person-store.ts'
import { oneOf } from '../kernel/schema.ts'
import { personRoute } from './route.ts'

const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: oneOf(['owner', 'member']),
})

export const getMembers = personRoute(
  {
    method: 'GET',
    path: '/members',
    summary: 'The people of this workspace.',
    result: Type.Object({ members: Type.Array(Member) }),
  },
  async (deps, { person }) => {
    const people = await listPeople(deps.db.read)
    const own = people.filter(({ workspaceId }) => workspaceId === person.workspaceId)
    return { members: own.map(({ id, name, email, role }) => ({ id, name, email, role })) }
  },
)
