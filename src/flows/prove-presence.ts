import type { Tx } from '../db/database.ts'
import { type DeliveryRow, holdDeliveries, listUnrung } from '../delivery/store.ts'
import type { QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { Policies } from '../policy/policies.ts'
import { heldUntil } from '../policy/presence.ts'
import type { Question } from '../questions/question.ts'
import { changeDetail, findQuestion } from '../questions/store.ts'
import { recordPresence } from '../sessions/store.ts'

/** Who is at which machine, since when. */
export type TerminalProof = { workspaceId: WorkspaceId; machineId: string; at: number }

/** How long a proof counts in this workspace: read before the transaction. */
export async function presenceMsOf(policies: Policies, workspaceId: WorkspaceId): Promise<number> {
  return (await policies.of(workspaceId)).policy.presenceMs
}

/**
 * Writes down that somebody is at a terminal of the machine, and lets phones that have not rung yet
 * about its questions stay silent for longer, as far as `heldUntil` allows.
 */
export async function provePresence(
  tx: Tx,
  proof: TerminalProof,
  presenceMs: number,
): Promise<void> {
  const { workspaceId, machineId, at } = proof
  await recordPresence(tx, workspaceId, machineId, at)
  const unrung = await listUnrung(tx, workspaceId, at)
  for (const [subjectId, rows] of Map.groupBy(unrung, (row) => row.subjectId)) {
    const question = await findQuestion(tx, workspaceId, subjectId as QuestionId)
    if (question?.machineId !== machineId) continue
    if (question.detail.localSurfaceAvailable === false) continue
    await holdLonger(tx, question, rows, heldUntil(question, { activeAt: at, presenceMs }))
  }
}

async function holdLonger(tx: Tx, question: Question, rows: DeliveryRow[], until: number) {
  const { id, detail } = question
  if (until <= (detail.phonesHeldUntil ?? question.createdAt)) return
  const early = rows.filter(({ nextAt }) => nextAt < until).map((row) => row.id)
  await holdDeliveries(tx, early, until)
  await changeDetail(tx, id, { ...detail, phonesHeldUntil: until })
  tx.ring('question', id)
}
