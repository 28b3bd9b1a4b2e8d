import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { Sender } from '../delivery/model/sender.ts'
import { questionMessage } from '../delivery/question-message.ts'
import { delayFailover } from '../fail-over/model/store.ts'
import { requireQuestion } from '../questions/find-visible.ts'
import { isAnswerable } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { IS_ASKER, NOT_A_DECIDER } from '../votes/model/refusals.ts'
import { mayDecide, type Voter, type Voters } from '../votes/model/standing.ts'
import { listVotes, lockVotes } from '../votes/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import type { QuestionId } from '../wire/ids.ts'
import { announceClaim } from './announce-claim.ts'
import { type Claim, endClaim, findClaim, insertClaim, listClaimsOf } from './model/store.ts'

type Deps = { db: Db; clock: Clock; sender: Sender }

/** How long somebody looks after a question, in milliseconds. */
const CLAIM_MS = 5 * 60_000

/**
 * Takes a question for a few minutes: nobody else is told meanwhile, and everybody may still decide.
 * Throws `not_found`, `not_a_decider` and `is_asker` for whoever may not decide it, `too_late`, and
 * `conflict` if somebody has it, or this person had it.
 */
export async function claimQuestion(
  { db, clock, sender }: Deps,
  of: { workspaceId: WorkspaceId; questionId: QuestionId; by: PersonId },
): Promise<Claim> {
  const { workspaceId, questionId, by: personId } = of
  const now = clock.now()
  const stamp = auditStamp(now)
  const { claim, rows } = await db.write(async (tx) => {
    await lockVotes(tx, questionId)
    const question = await requireQuestion(tx, workspaceId, questionId)
    const voter = requireDecider(question, await readVoters(tx, workspaceId, [personId]), personId)
    if (!isAnswerable(question, now))
      throw new Failure('too_late', 'This question has ended, so nobody needs to take it.')
    if ((await listVotes(tx, questionId)).some((vote) => vote.personId === personId)) {
      throw new Failure('conflict', 'You have voted already, so others need to be told.')
    }
    const existing = await findClaim(tx, questionId, now)
    if (existing && existing.personId !== personId) {
      const holder = await findPerson(tx, existing.personId)
      throw refused(`${holder?.name ?? 'Somebody'} has it`)
    }
    const claim = { questionId, workspaceId, personId, until: now + CLAIM_MS }
    if (!(await insertClaim(tx, claim))) throw refused('You took it before, and it is taken once')
    await delayFailover(tx, questionId, CLAIM_MS)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'question.claimed',
      personId,
      personName: voter.name,
      subjectId: questionId,
      subjectName: question.question,
    })
    const facts = await readScopeFacts(tx, question, question.createdAt)
    const message = questionMessage(question, facts)
    const rows = await announceClaim(tx, sender, message, { personId, name: voter.name })
    tx.emit('question', questionId)
    return { claim, rows }
  })
  sender.send(rows)
  return claim
}

function requireDecider({ requirement }: Question, voters: Voters, personId: PersonId): Voter {
  if (!requirement)
    throw new Failure(NOT_A_DECIDER, 'No rule says who decides this: just answer it.')
  const voter = voters.get(personId)
  if (requirement.excluded.includes(personId))
    throw new Failure(IS_ASKER, 'Your own agent asks this, so that others decide and take it.')
  if (voter && mayDecide(requirement, voter)) return voter
  throw new Failure(NOT_A_DECIDER, 'Only whoever may decide a question can take it.')
}

/** Gives back what a person took, before its time; false if they do not have it. */
export async function releaseClaim(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { questionId, by }: { questionId: QuestionId; by: PersonId },
): Promise<boolean> {
  const now = clock.now()
  return await db.write(async (tx) => {
    await lockVotes(tx, questionId)
    const claim = await findClaim(tx, questionId, now)
    if (claim?.personId !== by) return false
    await dropClaim(tx, claim, now)
    return true
  })
}

function refused(why: string): Failure {
  return new Failure('conflict', `${why}; nothing was changed. You may still decide it.`)
}

/** Ends a claim before its time: the steps that it held go on with the time that they had left. */
async function dropClaim(tx: Tx, claim: Claim, now: number): Promise<void> {
  if (!(await endClaim(tx, claim, now))) return
  await delayFailover(tx, claim.questionId, now - claim.until)
  tx.emit('question', claim.questionId)
}

/** Ends what somebody took who voted on it. */
export async function endClaimOfVoter(
  tx: Tx,
  { questionId, personId }: Pick<Claim, 'questionId' | 'personId'>,
  now: number,
): Promise<void> {
  const claim = await findClaim(tx, questionId, now)
  if (claim?.personId === personId) await dropClaim(tx, claim, now)
}

/** Ends what a person took who has signed out, or is gone. */
export async function endClaimsOf(tx: Tx, personId: PersonId, now: number): Promise<void> {
  for (const claim of await listClaimsOf(tx, personId, now)) await dropClaim(tx, claim, now)
}
