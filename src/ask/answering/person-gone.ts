import type { Tx } from '../../platform/db/database.ts'
import type { PersonGone, Whose } from '../accounts/model/person-gone.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { findQuestion } from '../questions/model/store.ts'
import { standing } from '../votes/model/standing.ts'
import { listVotes, listVotesOf, lockVotes } from '../votes/model/store.ts'
import { readVotersOf } from '../votes/read-voters.ts'
import { ballotsOf, keepOpen, trailOf } from './cast-vote.ts'

/** The votes of a removed person count no more, and stay under the name that they had. */
export const VOTES_OF_GONE: PersonGone = {
  columns: { 'votes.person_id': { stays: 'who voted is a part of what was decided' } },
  async end(tx, removal) {
    await voidVotes(tx, removal, removal.at)
    return undefined
  },
}

/** Says of each open question that a vote of this person no longer counts there. */
async function voidVotes(tx: Tx, whose: Whose, at: number): Promise<void> {
  const { workspaceId, personId } = whose
  for (const vote of await listVotesOf(tx, whose)) {
    await lockVotes(tx, vote.questionId)
    const question = await findQuestion(tx, workspaceId, vote.questionId)
    const requirement = question?.requirement
    if (!requirement || statusAt(question, at) !== 'pending') continue
    await recordChange(tx, auditStamp(at), trailOf(question, vote, 'vote.void'))
    const others = (await listVotes(tx, question.id)).filter((one) => one.personId !== personId)
    const voters = await readVotersOf(tx, workspaceId, others)
    const now = standing(requirement, ballotsOf(question, others), voters)
    if (now.is === 'open') await keepOpen(tx, question, now)
  }
}
