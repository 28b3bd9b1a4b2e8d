import type { Tx } from '../../platform/db/database.ts'
import { together } from '../../platform/db/together.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { endClaimOfVoter } from '../claims/claim-question.ts'
import { type EndQuestionDeps, endIn, type OnVote } from '../questions/end-question.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import {
  type Decider,
  type Ending,
  type Question,
  withDetail,
} from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { addViewers } from '../visibility/model/store.ts'
import type { Requirement } from '../votes/model/requirement.ts'
import { type Standing, standing, type Voters } from '../votes/model/standing.ts'
import { dropVote, listVotes, lockVotes, putVote } from '../votes/model/store.ts'
import { proofWords, type Vote } from '../votes/model/vote.ts'
import { readVotersOf } from '../votes/read-voters.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { CheckedAnswer } from './checked-answer.ts'
import { type Proven, readProof, requireProof } from './prove-vote.ts'
import { whyNoVote } from './why-no-vote.ts'

/** A vote that was written: the question is open, or has just ended. `after` follows the commit. */
type Cast = { question: Question; after?: () => void }

/**
 * Counts the answer of one person to a question that certain people have to agree to; the last vote
 * ends it. Resolves to undefined if something else had ended it. Throws one of `VOTE_REFUSALS` for
 * whoever may not vote so: then nothing is written.
 */
export async function castVote(
  deps: EndQuestionDeps,
  answer: CheckedAnswer,
): Promise<Question | undefined> {
  const { workspaceId, id } = answer.question
  const stamp = auditStamp(answer.at)
  const proven = await readProof(deps, answer)
  const cast = await deps.db.write(async (tx): Promise<Cast | undefined> => {
    await answer.first?.(tx)
    await lockVotes(tx, id)
    const [question, votes] = await together(findQuestion(tx, workspaceId, id), listVotes(tx, id))
    const requirement = question?.requirement
    if (!requirement || statusAt(question, answer.at) !== 'pending') return undefined
    const personId = personOf(answer)
    const isOfOther = (one: Vote) => one.personId !== personId
    const voters = await readVotersOf(tx, workspaceId, [
      ...votes,
      ...(personId ? [{ personId }] : []),
    ])
    const vote = readVote(answer, requirement, { voters, proven })
    await proven.use?.(tx)
    const kind = votes.every(isOfOther) ? 'vote.given' : 'vote.changed'
    await together(
      putVote(tx, vote),
      endClaimOfVoter(tx, vote, answer.at),
      // They see it also once they are no decider any more.
      addViewers(tx, [{ subjectId: id, who: vote.personId }]),
      recordChange(tx, stamp, trailOf(question, vote, kind)),
    )
    const all = [...votes.filter(isOfOther), vote]
    const now = standing(requirement, ballotsOf(question, all), voters)
    if (now.is === 'open')
      return await keepOpen(tx, question, now, { tell: deps.onVote, at: answer.at })
    return await endIn(tx, deps, 'decide', {
      workspaceId,
      id,
      at: answer.at,
      ending: endingOf(answer, vote, now, all),
      edited: answer.edited,
      ...(answer.device === undefined ? {} : { endedOn: answer.device }),
    })
  })
  cast?.after?.()
  return cast?.question
}

/** Takes back the vote of a person while the question is open; false if there is none to take back. */
export async function withdrawVote(
  { db, clock, onVote }: EndQuestionDeps,
  of: { workspaceId: WorkspaceId; questionId: QuestionId; by: PersonId },
): Promise<boolean> {
  const { workspaceId, questionId, by } = of
  const at = clock.now()
  const stamp = auditStamp(at)
  const cast = await db.write(async (tx): Promise<Cast | undefined> => {
    await lockVotes(tx, questionId)
    const question = await findQuestion(tx, workspaceId, questionId)
    const requirement = question?.requirement
    if (!requirement || statusAt(question, at) !== 'pending') return undefined
    const vote = await dropVote(tx, questionId, by)
    if (!vote) return undefined
    await recordChange(tx, stamp, trailOf(question, vote, 'vote.withdrawn'))
    const votes = await listVotes(tx, questionId)
    const voters = await readVotersOf(tx, workspaceId, votes)
    const now = standing(requirement, ballotsOf(question, votes), voters)
    return now.is === 'open'
      ? await keepOpen(tx, question, now, { tell: onVote, at })
      : { question }
  })
  cast?.after?.()
  return cast !== undefined
}

export async function keepOpen(
  tx: Tx,
  question: Question,
  { counted }: Extract<Standing, { is: 'open' }>,
  onVote?: { tell: OnVote | undefined; at: number },
): Promise<Cast> {
  const agreed = counted.length
  await addDetail(tx, question, { agreed })
  tx.emit('question', question.id)
  const now = withDetail(question, { agreed })
  const after = await onVote?.tell?.(tx, now, onVote.at)
  return { question: now, ...(after && { after }) }
}

/** The votes as yes or no: a choice or a text is a yes to itself. */
export function ballotsOf(
  { type }: Pick<Question, 'type'>,
  votes: readonly Vote[],
): Array<Pick<Vote, 'personId' | 'value'>> {
  return votes.map(({ personId, value }) => ({
    personId,
    value: type === 'confirm' ? value : 'yes',
  }))
}

/**
 * Whose vote it is. A button or a link proves nobody: whoever holds it may say no for the person whose
 * device it is.
 */
function personOf(answer: CheckedAnswer): PersonId | undefined {
  const { by, ending } = answer
  return by ?? (declines(answer) ? ending.answeredOn?.personId : undefined)
}

function declines({ question, ending }: CheckedAnswer): boolean {
  return question.type === 'confirm' && ending.value === 'no'
}

/** Throws if this is nobody's vote, or not one of somebody who may vote so. */
function readVote(
  answer: CheckedAnswer,
  requirement: Requirement,
  { voters, proven }: { voters: Voters; proven: Proven },
): Vote {
  const { question, ending, by, at } = answer
  const { value, note, answerSource: source, answeredOn } = ending
  const isNo = declines(answer)
  const personId = personOf(answer)
  const voter = personId === undefined ? undefined : voters.get(personId)
  const place = answeredOn?.kind === 'chat' ? 'chat' : 'page'
  const isProven = by !== undefined && (!answeredOn || answeredOn.kind === 'chat')
  const why = whyNoVote(requirement, { voter, isNo, isProven, place })
  if (why) throw new Failure(why.kind, why.words)
  if (!voter) throw new Error('a vote that counts is nobody’s')
  if (!isNo) requireProof(answer, proven)
  return {
    questionId: question.id,
    workspaceId: question.workspaceId,
    personId: voter.id,
    value,
    note,
    source,
    proof: proven.kind,
    passkey: isNo ? undefined : proven.passkey,
    at,
    name: voter.name,
  }
}

function endingOf(
  { ending }: CheckedAnswer,
  { personId }: Vote,
  now: Exclude<Standing, { is: 'open' }>,
  votes: readonly Vote[],
): Ending {
  const ids = now.is === 'yes' ? now.counted : [now.by]
  const votedBy = votes.filter((one) => ids.includes(one.personId)).map(deciderOf)
  return { ...ending, answeredBy: personId, detail: { ...ending.detail, votedBy } }
}

function deciderOf({ personId: id, name, at, source, proof, passkey }: Vote): Decider {
  return { id, name, at, proof, ...(source && { source }), ...(passkey && { passkey }) }
}

export function trailOf(question: Question, vote: Vote, kind: RecordedKind) {
  const { personId, name, value, proof } = vote
  const { workspaceId, id: subjectId, question: subjectName } = question
  const words = proofWords(proof)
  const detail = words === undefined ? value : `${value}, ${words}`
  return { workspaceId, kind, personId, personName: name, subjectId, subjectName, detail }
}
