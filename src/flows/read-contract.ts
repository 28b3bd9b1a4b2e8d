import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { QuestionId } from '../kernel/ids.ts'
import { findRatified } from '../questions/store.ts'
import type { Contract } from '../scopes/contract.ts'
import type { AgentSession } from '../sessions/session.ts'

/** What a session was allowed, and until when. */
export type ContractInForce = {
  contract: Contract
  questionId: QuestionId
  since: number
  until: number
}

// How long what was agreed to holds (design: propose_scope).
const CONTRACT_MS = 12 * 60 * 60_000

/** The scope that a person agreed to last; undefined when there is none, or none any more. */
export async function readContract(
  { db, clock }: { db: Db; clock: Clock },
  session: AgentSession,
): Promise<ContractInForce | undefined> {
  const earliest = clock.now() - CONTRACT_MS
  const found = await findRatified(db.read, session.workspaceId, session, earliest)
  const contract = found?.detail.contract
  if (!contract || found.endedAt === undefined) return undefined
  const { id, endedAt } = found
  return { contract, questionId: id, since: endedAt, until: endedAt + CONTRACT_MS }
}
