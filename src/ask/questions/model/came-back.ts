import type { Question } from './question.ts'

/**
 * Whether the agent had stopped waiting when its question ended, or never waited, and has not asked
 * for the outcome since. For an open question: as if it ended when its time is over.
 */
export function didNotComeBack(question: Question): boolean {
  const { detail, endedAt, expiresAt } = question
  if (detail.collectedAt !== undefined) return false
  return Math.max(firstWaitEnd(question), detail.waitsUntil ?? 0) < (endedAt ?? expiresAt)
}

/**
 * When the call that asked stopped waiting; 0 if it did not wait, as for a notification's question.
 */
function firstWaitEnd({ origin, detail, abandonedAt, waitEndsAt }: Question): number {
  if (detail.notWaited || origin === 'notification') return 0
  return abandonedAt ?? waitEndsAt
}
