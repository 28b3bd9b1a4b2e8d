import type { Read } from '../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { listGroupMembers } from '../groups/model/store.ts'
import type { Voter, Voters } from './model/standing.ts'

/** The people of a workspace, without auditors and those who are switched off, with the groups that they are in now. */
export async function readVoters(read: Read, workspaceId: WorkspaceId): Promise<Voters> {
  const people = await listPeople(read, workspaceId)
  const voters = new Map<PersonId, Voter & { groups: Set<string> }>(
    people
      .filter((person) => person.offAt === null && !isAuditor(person))
      .map(({ id, name }) => [id, { id, name, groups: new Set() }]),
  )
  for (const { personId, groupId } of await listGroupMembers(read, workspaceId)) {
    voters.get(personId)?.groups.add(groupId)
  }
  return voters
}
