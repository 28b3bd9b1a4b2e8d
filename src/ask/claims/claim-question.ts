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
import { isAnswerable } from '../questions/model/lifecycle.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { findQuestion } from '../questions/model/store.ts'
import { mayApprove, mayDecline } from '../votes/model/standing.ts'
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
 * Throws `not_found`, `forbidden` for whoever may not decide it, and `conflict` if somebody has it,
 * or this person had it.
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
    const question = await findQuestion(tx, workspaceId, questionId)
    if (!question) throw new Failure('not_found', 'There is no such question here.')
    const { requirement } = question
    const voter = (await readVoters(tx, workspaceId)).get(personId)
    if (
      !requirement ||
      !voter ||
      !(mayApprove(requirement, voter) || mayDecline(requirement, voter))
    ) {
      throw new Failure('forbidden', 'Only whoever may decide a question can take it.')
    }
    if (!isAnswerable(question, now)) throw refused('This question has ended')
    if ((await listVotes(tx, questionId)).some((vote) => vote.personId === personId)) {
      throw refused('You have voted already')
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
