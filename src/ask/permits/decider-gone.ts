import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { findRole } from '../accounts/model/person-store.ts'
import { isTakenBack } from '../grants/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { namesOf } from '../questions/model/vote-hint.ts'
import { findSubscriber } from '../subscribers/model/store.ts'
import { standing } from '../votes/model/standing.ts'
import { listVotes } from '../votes/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'

/**
 * Throws `conflict` if whoever said yes is no longer in the workspace, if the yes came from a device
 * that was removed since, or from a grant that was taken back: such a yes begins nothing.
 */
export async function requireDecider(read: Read, question: Question): Promise<void> {
  const { workspaceId, answeredBy, answeredOn } = question
  if (question.requirement) return requireVotes(read, question)
  const role = answeredBy && (await findRole(read, workspaceId, answeredBy))
  if (answeredBy !== undefined && !role) {
    throw goneFailure('The person who said yes was removed since')
  }
  if (role === 'auditor') throw goneFailure('The person who said yes became an auditor since')
  // The devices of somebody who is removed end with them; a channel of everybody stays.
  const device = answeredOn && (await findSubscriber(read, workspaceId, answeredOn.id))
  if (answeredOn && !device) {
    throw goneFailure(`The device that the yes came from (“${answeredOn.label}”) was removed since`)
  }
  if (await isTakenBack(read, question))
    throw goneFailure('What allowed this call was taken back since')
}

/** The votes are counted again: of those who agreed, some may have been removed since. */
async function requireVotes(read: Read, question: Question): Promise<void> {
  if (await votesStand(read, question)) return
  const names = namesOf(question.detail.votedBy ?? [])
  throw goneFailure(`Not everybody who approved (${names}) may decide this any more`)
}

/** Returns true if the votes on a question that several people decide still make a yes. */
export async function votesStand(
  read: Read,
  { id, workspaceId, type, requirement }: Question,
): Promise<boolean> {
  if (!requirement) return false
  const votes = (await listVotes(read, id)).map(({ personId, value }) => ({
    personId,
    value: type === 'confirm' ? value : 'yes',
  }))
  return standing(requirement, votes, await readVoters(read, workspaceId)).is === 'yes'
}

function goneFailure(what: string): Failure {
  return new Failure('conflict', `${what}, so it permits nothing. Ask again.`)
}
