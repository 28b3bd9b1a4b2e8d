import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person, Viewer } from '../accounts/model/person.ts'
import { listRequirements } from '../questions/model/store.ts'
import { mayDecide } from '../votes/model/standing.ts'
import { listVotesOf } from '../votes/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import type { QuestionId } from '../wire/ids.ts'

/**
 * The open questions that this person sees and that wait for others: a rule says who decides, and
 * they are not among them, or have voted.
 */
export async function readForOthers(
  { db, clock }: { db: Db; clock: Clock },
  person: Viewer & Pick<Person, 'id'>,
): Promise<ReadonlySet<QuestionId>> {
  const { workspaceId, id: personId } = person
  const open = await listRequirements(db.read, person, clock.now(), { viewer: personId })
  if (open.length === 0) return new Set()
  const voter = (await readVoters(db.read, workspaceId, [personId])).get(personId)
  const votes = await listVotesOf(db.read, { workspaceId, personId })
  const withVote = new Set(votes.map(({ questionId }) => questionId))
  const others = open.filter(
    ({ id, requirement }) => withVote.has(id) || !voter || !mayDecide(requirement, voter),
  )
  return new Set(others.map(({ id }) => id))
}
