import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { findRole } from '../accounts/model/person-store.ts'
import { isTakenBack } from '../grants/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { namesOf } from '../questions/model/vote-hint.ts'
import { findSubscriber } from '../subscribers/model/store.ts'
import { standing } from '../votes/model/standing.ts'
import { listVotes } from '../votes/model/store.ts'
import { readVotersOf } from '../votes/read-voters.ts'
import type { QuestionId } from '../wire/ids.ts'

/**
 * Throws `conflict` if whoever said yes is no longer in the workspace, if the yes came from a device
 * that was removed since, or from a grant that was taken back: such a yes begins nothing.
 */
export async function requireDecider(read: Read, question: Question): Promise<void> {
  const why = await whyDeciderGone(read, question)
  if (why === undefined) return
  throw new Failure('conflict', `${why}, so it permits nothing. Ask again.`)
}

/** Why a yes does not hold any more, because of who gave it; undefined if it holds. */
export async function whyDeciderGone(read: Read, question: Question): Promise<string | undefined> {
  const { workspaceId, answeredBy, answeredOn } = question
  if (question.requirement) return whyVotesGone(read, question)
  const { byYes } = question.detail
  const yes = byYes && (await findQuestion(read, workspaceId, byYes.id as QuestionId))
  if (yes?.requirement) return whyVotesGone(read, yes)
  const role = answeredBy && (await findRole(read, workspaceId, answeredBy))
  if (answeredBy !== undefined && !role) return 'The person who said yes was removed since'
  if (role === 'auditor') return 'The person who said yes became an auditor since'
  // The devices of somebody who is removed end with them; a channel of everybody stays.
  const device = answeredOn && (await findSubscriber(read, workspaceId, answeredOn.id))
  if (answeredOn && !device) {
    return `The device that the yes came from (“${answeredOn.label}”) was removed since`
  }
  return (await isTakenBack(read, question))
    ? 'What allowed this call was taken back since'
    : undefined
}

/** The votes are counted again: of those who agreed, some may have been removed since. */
async function whyVotesGone(
  read: Read,
  { id, workspaceId, type, requirement, detail }: Question,
): Promise<string | undefined> {
  if (!requirement) return undefined
  const votes = (await listVotes(read, id)).map(({ personId, value }) => ({
    personId,
    value: type === 'confirm' ? value : 'yes',
  }))
  const now = standing(requirement, votes, await readVotersOf(read, workspaceId, votes))
  if (now.is === 'yes') return undefined
  const counted = now.is === 'open' ? now.counted : []
  const gone = detail.votedBy?.filter((one) => !counted.includes(one.id)) ?? []
  return `${namesOf(gone)}, who agreed, may not decide this any more`
}
