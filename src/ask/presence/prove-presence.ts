import type { Tx } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import {
  type DelayedPhoneDelivery,
  holdDeliveries,
  listDelayedPhoneDeliveries,
} from '../delivery/model/store.ts'
import { phoneDelayEnd } from '../policy/model/policy.ts'
import type { Policies } from '../policy/model/store.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import type { Question } from '../questions/model/question.ts'
import { listAskedFrom } from '../questions/model/store.ts'
import { recordPresence } from '../sessions/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'

/** The machine that somebody is at, and since when. */
export type TerminalProof = { workspaceId: WorkspaceId; machineId: string; at: number }

/** How long a proof counts in this workspace: read before the transaction. */
export async function presenceMsOf(policies: Policies, workspaceId: WorkspaceId): Promise<number> {
  return (await policies.of(workspaceId)).policy.presenceMs
}

/**
 * Records that somebody is at a terminal of the machine, and delays phones that have not rung yet
 * about its questions, as far as `heldUntil` allows.
 */
export async function provePresence(
  tx: Tx,
  proof: TerminalProof,
  presenceMs: number,
): Promise<void> {
  const { workspaceId, machineId, at } = proof
  await recordPresence(tx, workspaceId, machineId, at)
  const unrung = await listDelayedPhoneDeliveries(tx, workspaceId, at)
  if (unrung.length === 0) return
  const bySubject = Map.groupBy(unrung, (row) => row.subjectId as QuestionId)
  const ids = [...bySubject.keys()]
  for (const question of await listAskedFrom(tx, { workspaceId, machineId, ids })) {
    if (question.detail.localSurfaceAvailable === false) continue
    const until = phoneDelayEnd(question, { activeAt: at, presenceMs })
    await holdLonger(tx, question, bySubject.get(question.id) ?? [], until)
  }
}

// Proofs that come faster than this change nothing.
const STEP_MS = 1_000

async function holdLonger(tx: Tx, question: Question, rows: DelayedPhoneDelivery[], until: number) {
  const { id, detail } = question
  if (until < (detail.phonesHeldUntil ?? question.createdAt) + STEP_MS) return
  const early = rows.filter(({ nextAt }) => nextAt < until).map((row) => row.id)
  await holdDeliveries(tx, early, until)
  await addDetail(tx, question, { phonesHeldUntil: until })
  tx.emit('question', id)
}
