import type { Read } from '../../platform/db/database.ts'
import { together } from '../../platform/db/together.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor } from '../accounts/model/person.ts'
import { type ListedPerson, listPeople } from '../accounts/model/person-store.ts'
import type { GroupMember } from '../groups/model/group.ts'
import { listGroupMembers } from '../groups/model/store.ts'
import type { Voter, Voters } from './model/standing.ts'
import type { Vote } from './model/vote.ts'

/**
 * The people of a workspace who may vote, with the groups that they are in now; only those of `among`
 * if given.
 */
export async function readVoters(
  read: Read,
  workspaceId: WorkspaceId,
  among?: readonly PersonId[],
): Promise<Voters> {
  const [people, members] = await together(
    listPeople(read, workspaceId, among),
    listGroupMembers(read, workspaceId, among),
  )
  return votersOf(people, members)
}

/** The people behind these votes, as far as they may vote now. */
export function readVotersOf(
  read: Read,
  workspaceId: WorkspaceId,
  votes: ReadonlyArray<Pick<Vote, 'personId'>>,
): Promise<Voters> {
  const ids = votes.map(({ personId }) => personId)
  return readVoters(read, workspaceId, ids)
}

type MayVote = Pick<ListedPerson, 'id' | 'name' | 'role' | 'offAt'>

/** Those of these people who may vote, with their groups: no auditors, and nobody who is switched off. */
export function votersOf(people: readonly MayVote[], members: readonly GroupMember[]): Voters {
  const voters = new Map<PersonId, Voter & { groups: Set<string> }>(
    people
      .filter((person) => person.offAt === null && !isAuditor(person))
      .map(({ id, name }) => [id, { id, name, groups: new Set() }]),
  )
  for (const { personId, groupId } of members) voters.get(personId)?.groups.add(groupId)
  return voters
}
