import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Agent } from '../accounts/model/agent.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { permittedAction } from '../questions/model/edit.ts'
import { grantOf } from '../questions/model/key.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { requireDecider } from './decider-gone.ts'
import { PERMIT_EXPIRED, PERMIT_MISMATCH, PERMIT_USED } from './failures.ts'
import {
  type ActionOutcome,
  FETCH_MS,
  issuedWords,
  outcomeWords,
  PERMIT_MS,
  type Permit,
  usedWords,
} from './model/permit.ts'
import { findPermit, findPermitFor, insertPermit, setOutcome, spendPermit } from './model/store.ts'

type Deps = { db: Db; clock: Clock }
type Asker = Pick<Agent, 'workspaceId' | 'tokenId'>

/**
 * Turns the yes to a question into a permit for one action, once; a repeat with the same digest
 * gets the same permit. Throws `not_found` for a question that this token has not asked, `conflict`
 * if nobody said yes, or nobody who is still here, `permit_mismatch` if the yes was for another
 * action, `permit_used` and `permit_expired`.
 */
export async function issuePermit(
  { db, clock }: Deps,
  { workspaceId, tokenId }: Asker,
  id: string,
  actionHash: string,
): Promise<Permit> {
  const questionId = id as QuestionId
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question || grantOf(question) !== grantOf({ tokenId })) {
    throw new Failure('not_found', 'This token has asked no such question.')
  }
  const now = clock.now()
  requireYes(question, now)
  const about = permittedAction(question)
  if (about !== undefined && about !== actionHash) throw mismatch()
  const permit: Permit = {
    id: newId('permit', now),
    workspaceId,
    questionId,
    tokenId,
    actionHash,
    createdAt: now,
    expiresAt: now + PERMIT_MS,
    consumedAt: undefined,
    outcome: undefined,
    detail: undefined,
    outcomeAt: undefined,
  }
  return await db.write(async (tx) => {
    await requireDecider(tx, question)
    if (await insertPermit(tx, permit)) {
      await record(tx, permit, now, 'permit.issued', issuedWords(permit))
      return permit
    }
    const first = await findPermitFor(tx, questionId)
    if (!first) throw new Failure('not_found', 'The question was deleted meanwhile.')
    requireUsable(first, actionHash, now)
    return first
  })
}

function requireYes(question: Question, now: number): void {
  const { type, origin, status, value, endedAt = now, expiresAt, detail, requirement } = question
  if (type !== 'confirm' || origin === 'scope') {
    throw new Failure('conflict', 'A permit follows a yes to a question of the type confirm only.')
  }
  if (status !== 'answered' || value !== 'yes') {
    throw new Failure('conflict', 'Nobody has said yes to this question, so it permits nothing.')
  }
  // Whoever asks for hours comes back for the answer within them.
  const longest = Math.max(endedAt + FETCH_MS, detail.lifeMs === undefined ? 0 : expiresAt)
  const until = requirement ? endedAt + requirement.usableMs : longest
  if (now > until) throw new Failure(PERMIT_EXPIRED, 'The yes is too old; ask again.')
}

/**
 * Uses a permit up, so that its action may be begun now, once. Throws `not_found` for a permit of
 * another token, `conflict` if whoever said yes is gone, `permit_used`, `permit_mismatch` and
 * `permit_expired`.
 */
export async function consumePermit(
  { db, clock }: Deps,
  { workspaceId, tokenId }: Asker,
  id: string,
  actionHash: string,
): Promise<Permit> {
  const now = clock.now()
  return await db.write(async (tx) => {
    const permit = await requirePermit(tx, tokenId, id)
    const question = await findQuestion(tx, workspaceId, permit.questionId)
    if (question && permit.consumedAt === undefined) await requireDecider(tx, question)
    if (!(await spendPermit(tx, { id: permit.id, actionHash }, now))) {
      // Read again: another process may have used it since.
      requireUsable(await requirePermit(tx, tokenId, id), actionHash, now)
      throw new Failure('unavailable', 'The permit could not be used now; nothing was begun.')
    }
    await record(tx, permit, now, 'permit.used', usedWords(permit))
    return { ...permit, consumedAt: now }
  })
}

/**
 * Records what became of the action; repeating the same report is not an error. Throws `not_found`,
 * and `conflict` for an action that was not begun or was reported to have ended otherwise.
 */
export async function recordOutcome(
  { db, clock }: Deps,
  { tokenId }: Asker,
  id: string,
  report: { outcome: ActionOutcome; detail: string | undefined },
): Promise<void> {
  const at = clock.now()
  await db.write(async (tx) => {
    const permit = await requirePermit(tx, tokenId, id)
    if (permit.consumedAt === undefined) {
      throw new Failure('conflict', 'This permit was not used, so no action has an outcome.')
    }
    const isSame = ({ outcome, detail }: Permit) =>
      outcome === report.outcome && detail === report.detail
    if (isSame(permit)) return
    if (!(await setOutcome(tx, permit.id, { ...report, at }))) {
      const now = await requirePermit(tx, tokenId, id)
      if (isSame(now)) return
      throw new Failure('conflict', `The outcome is recorded already: ${now.outcome}.`)
    }
    await record(tx, permit, at, 'permit.outcome', outcomeWords(report) ?? report.outcome)
  })
}

async function requirePermit(tx: Tx, tokenId: Agent['tokenId'], id: string): Promise<Permit> {
  const permit = await findPermit(tx, tokenId, id)
  if (permit) return permit
  throw new Failure('not_found', 'This token has no such permit.')
}

/** Throws why the permit does not allow this action now. */
function requireUsable(permit: Permit, actionHash: string, now: number): void {
  if (permit.consumedAt !== undefined) {
    throw new Failure(PERMIT_USED, 'This permit was used; one yes allows one action. Ask again.')
  }
  if (permit.actionHash !== actionHash) throw mismatch()
  if (permit.expiresAt <= now) {
    throw new Failure(PERMIT_EXPIRED, 'This permit is over: its action was not begun in 5 minutes.')
  }
}

function mismatch(): Failure {
  return new Failure(PERMIT_MISMATCH, 'The yes was for another action: tool or arguments differ.')
}

function record(
  tx: Tx,
  { workspaceId, tokenId, questionId }: Permit,
  now: number,
  kind: 'permit.issued' | 'permit.used' | 'permit.outcome',
  detail: string,
): Promise<void> {
  const change = { workspaceId, tokenId, kind, subjectId: questionId, detail }
  return recordChange(tx, auditStamp(now), change)
}
