import type { Question } from './question.ts'
import type { questions } from './table.ts'

/** Null in the database becomes undefined in a question. */
export function fromRow({
  bytes: _,
  askedSeal: __,
  endedSeal: ___,
  ...row
}: typeof questions.$inferSelect): Question {
  return {
    ...row,
    agentName: row.agentName ?? undefined,
    machineId: row.machineId ?? undefined,
    sessionId: row.sessionId ?? undefined,
    repoKey: row.repoKey ?? undefined,
    held: row.held ?? undefined,
    key: row.key ?? undefined,
    callbackUrl: row.callbackUrl ?? undefined,
    notificationId: row.notificationId ?? undefined,
    abandonedAt: row.abandonedAt ?? undefined,
    value: row.value ?? undefined,
    note: row.note ?? undefined,
    answerSource: row.answerSource ?? undefined,
    answeredBy: row.answeredBy ?? undefined,
    answeredAs: row.answeredAs ?? undefined,
    answeredOn: row.answeredOn ?? undefined,
    endedAt: row.endedAt ?? undefined,
    endReason: row.endReason ?? undefined,
    endedByToken: row.endedByToken ?? undefined,
  }
}
