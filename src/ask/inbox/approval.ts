import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { Person } from '../accounts/model/person.ts'
import { ballotsOf } from '../answering/cast-vote.ts'
import { whyNoVote } from '../answering/why-no-vote.ts'
import { findVisible } from '../questions/find-visible.ts'
import { needOf } from '../votes/model/requirement.ts'
import { standing } from '../votes/model/standing.ts'
import { listVotes } from '../votes/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import type { QuestionId } from '../wire/ids.ts'

/** Who has to agree to a question, and who has. */
export const Approval = Type.Object({
  rules: Type.Array(Type.String(), { description: 'The rules that ask for it.' }),
  need: Type.Integer({ description: 'How many people have to agree.' }),
  have: Type.Integer({ description: 'How many of them have, as groups are now.' }),
  missing: Type.Array(
    Type.Object({
      from: Type.Array(Type.String({ description: 'A group or a person, by name.' })),
      need: Type.Integer({ description: 'How many of them are missing.' }),
    }),
  ),
  votes: Type.Array(
    Type.Object({
      person: Type.String(),
      value: Type.String(),
      note: Type.Optional(Type.String()),
      proof: Type.String({ description: 'How they proved who they are.' }),
      at: Type.String({ format: 'date-time' }),
    }),
  ),
  whyNoYes: Type.Optional(
    Type.String({ description: 'Why a yes of yours would not count; missing if it would.' }),
  ),
})

/** Throws `not_found` for a question that the viewer does not see, or that one answer ends. */
export async function readApproval(
  { db }: { db: Db },
  viewer: Person,
  id: QuestionId,
): Promise<Static<typeof Approval>> {
  const { workspaceId } = viewer
  const question = await findVisible(db.read, viewer, id)
  const requirement = question?.requirement
  if (!requirement) {
    throw new Failure(
      'not_found',
      'There is no question here that certain people have to agree to.',
    )
  }
  const voters = await readVoters(db.read, workspaceId)
  const votes = await listVotes(db.read, id)
  const now = standing(requirement, ballotsOf(question, votes), voters)
  const voting = { isNo: false, isProven: true, place: 'page' } as const
  return omitUndefined({
    rules: requirement.rules.map(({ words }) => words),
    need: needOf(requirement),
    have: now.is === 'no' ? 0 : now.counted.length,
    missing:
      now.is === 'open'
        ? now.missing.map(({ from, need }) => ({ from: from.map(({ name }) => name), need }))
        : [],
    votes: votes.map(({ name: person, value, note, proof, at }) =>
      omitUndefined({ person, value, note, proof, at: isoTime(at) }),
    ),
    whyNoYes: whyNoVote(requirement, { ...voting, voter: voters.get(viewer.id) }),
  })
}
