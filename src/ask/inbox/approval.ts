import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import type { Person } from '../accounts/model/person.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { ballotsOf } from '../answering/cast-vote.ts'
import { isFresh, NEEDED } from '../answering/prove-vote.ts'
import { whyNoVote } from '../answering/why-no-vote.ts'
import { findClaim } from '../claims/model/store.ts'
import { findForAgent, findVisible } from '../questions/find-visible.ts'
import type { Question } from '../questions/model/question.ts'
import type { EitherCaller } from '../rest/either-caller.ts'
import { PROOF_NEEDED, VOTE_REFUSALS } from '../votes/model/refusals.ts'
import { needOf, type Requirement } from '../votes/model/requirement.ts'
import { standing, type Voters } from '../votes/model/standing.ts'
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
      note: Type.Optional(Type.String({ description: 'Signed in.' })),
      proof: Type.Optional(Type.String({ description: 'How they proved it; signed in.' })),
      at: Type.String({ format: 'date-time' }),
      counts: Type.Boolean({ description: 'As groups are now; a yes counts if it fills a place.' }),
    }),
  ),
  claim: Type.Optional(
    Type.Object(
      { person: Type.String(), until: Type.String({ format: 'date-time' }) },
      { description: 'Who looks after it now.' },
    ),
  ),
  whyNoYes: Type.Optional(
    Type.Object(
      { code: oneOf(VOTE_REFUSALS.map(({ code }) => code)), detail: Type.String() },
      { description: 'Signed in: why a yes of yours would not count; missing if it would.' },
    ),
  ),
})

type Deps = { db: Db; clock: Clock }

/** Throws `not_found` for a question that the caller does not see, or that one answer ends. */
export async function readApproval(
  { db, clock }: Deps,
  { agent, person }: EitherCaller,
  id: QuestionId,
): Promise<Static<typeof Approval>> {
  const question = await (agent
    ? findForAgent(db.read, agent, id)
    : findVisible(db.read, person, id))
  const requirement = question?.requirement
  if (!requirement) {
    throw new Failure(
      'not_found',
      'There is no question here that certain people have to agree to.',
    )
  }
  const voters = await readVoters(db.read, question.workspaceId)
  const votes = await listVotes(db.read, id)
  const now = standing(requirement, ballotsOf(question, votes), voters)
  const counted = now.is === 'no' ? [now.by] : now.counted
  return omitUndefined({
    rules: requirement.rules.map(({ words }) => words),
    need: needOf(requirement),
    have: now.is === 'no' ? 0 : now.counted.length,
    missing:
      now.is === 'open'
        ? now.missing.map(({ from, need }) => ({ from: from.map(({ name }) => name), need }))
        : [],
    votes: votes.map(({ personId, name, value, note, proof, at }) =>
      omitUndefined({
        ...{ person: name, value, at: isoTime(at), counts: counted.includes(personId) },
        ...(person && { note, proof }),
      }),
    ),
    claim: await readClaim(db, question, clock.now()),
    whyNoYes: person && whyNoYes(requirement, voters, { person, now: clock.now() }),
  })
}

async function readClaim({ read }: Db, { id }: Question, now: number) {
  const claim = await findClaim(read, id, now)
  if (!claim) return undefined
  const person = (await findPerson(read, claim.personId))?.name ?? 'Somebody'
  return { person, until: isoTime(claim.until) }
}

/** Why a yes over REST would not count. */
function whyNoYes(
  requirement: Requirement,
  voters: Voters,
  { person, now }: { person: Person; now: number },
) {
  const voting = { isNo: false, isProven: true, place: 'page' } as const
  const why = whyNoVote(requirement, { ...voting, voter: voters.get(person.id) })
  if (why) return { code: why.kind.code, detail: why.words }
  const { fresh } = requirement
  if (!fresh || (fresh === 'sign_in' && isFresh(person.signedInAt, now))) return undefined
  return { code: PROOF_NEEDED.code, detail: NEEDED[fresh] }
}
