import type { Tx } from '../../platform/db/database.ts'
import type { Question } from '../questions/model/question.ts'
import { CONTRACT_MS, type Ratified } from '../scopes/model/contract.ts'
import { findInForce, insertContract, insertWidening } from '../scopes/model/store.ts'
import { exactPath, isOffLimits } from '../scopes/model/widen.ts'
import type { Contract } from '../wire/contract.ts'

/**
 * Applies an answer to the boundary of its session, in the transaction of the answer: a yes to a
 * scope puts it in force, as the person `edited` it; a yes to a `scopePath` adds that one path to
 * the contract in force, unless it is off limits. Any other answer changes nothing.
 */
export async function settleScope(
  tx: Tx,
  { question, edited }: { question: Question; edited?: Contract | undefined },
): Promise<undefined> {
  const { status, value, sessionId, detail, endedAt: at } = question
  if (status !== 'answered' || value !== 'yes') return
  if (sessionId === undefined || at === undefined) return
  await tx.lock(`scope ${question.workspaceId} ${sessionId}`)
  const clauses = { question, sessionId, at }
  if (question.origin === 'scope') await ratify(tx, clauses, edited)
  else if (detail.scopePath !== undefined) await widen(tx, clauses, detail.scopePath)
}

type Settled = { question: Question; sessionId: string; at: number }

async function ratify(tx: Tx, settled: Settled, edited: Contract | undefined): Promise<void> {
  const contract = edited ?? settled.question.detail.contract
  if (contract) await insertContract(tx, ratified(settled, contract, edited !== undefined))
}

function ratified({ question, sessionId, at }: Settled, contract: Contract, edited: boolean) {
  const { id, workspaceId, answeredBy, test } = question
  const { allowedPaths, offLimitsPaths, doneWhen, promises = [] } = contract
  return {
    questionId: id,
    workspaceId,
    sessionId,
    edited,
    test,
    ratifiedBy: answeredBy,
    allowedPaths,
    offLimitsPaths,
    doneWhen,
    promises,
    ratifiedAt: at,
    expiresAt: at + CONTRACT_MS,
  } satisfies Ratified
}

async function widen(tx: Tx, settled: Settled, scopePath: string): Promise<void> {
  const { question, sessionId, at } = settled
  const { id: questionId, workspaceId, test } = question
  const path = exactPath(scopePath)
  const contract = await findInForce(tx, { workspaceId, sessionId, test }, at)
  if (!contract || path === undefined || isOffLimits(contract, path)) return
  const contractId = contract.questionId
  await insertWidening(tx, { questionId, contractId, workspaceId, path, at })
}
