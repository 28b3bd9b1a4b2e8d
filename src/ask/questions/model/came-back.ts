import type { Question } from './question.ts'

/**
 * Returns true if the agent had stopped waiting when its question ended, or never waited, and has
 * not fetched the outcome since. An expired question ended at its deadline, however late that was
 * recorded; an open one is treated as if it ended then.
 */
export function didNotComeBack(question: Question): boolean {
  const { detail, status, endedAt, expiresAt } = question
  if (detail.collectedAt !== undefined) return false
  const end = status === 'expired' ? expiresAt : (endedAt ?? expiresAt)
  return lastWaitEnd(question) < end
}

/** When the last call that waits for it stops waiting; 0 if none does. */
export function lastWaitEnd(question: Question): number {
  return Math.max(firstWaitEnd(question), question.detail.waitsUntil ?? 0)
}

/**
 * When the call that asked stopped waiting; 0 if it did not wait, as for a notification's question.
 */
function firstWaitEnd({ origin, detail, abandonedAt, waitEndsAt }: Question): number {
  if (detail.notWaited || origin === 'notification') return 0
  return abandonedAt ?? waitEndsAt
}
