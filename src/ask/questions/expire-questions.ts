import { repeatEvery } from '../../platform/repeat.ts'
import { type EndQuestionDeps, endQuestion } from './end-question.ts'
import { listOverdue } from './model/store.ts'

// Readers see `expired` at once; this is for the pages and devices that are notified.
const SWEEP_EVERY_MS = 1_000
const SWEEP_MAX = 500

/** Ends every question whose time is over; resolves to how many. */
export async function expireQuestions(deps: EndQuestionDeps): Promise<number> {
  const overdue = await listOverdue(deps.db.read, deps.clock.now(), SWEEP_MAX)
  const ended = await Promise.all(overdue.map((question) => endQuestion(deps, 'expire', question)))
  return ended.filter(Boolean).length
}

/** Checks now and then every second, until disposed; `report` is called with errors. */
export function keepExpiring(
  deps: EndQuestionDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, SWEEP_EVERY_MS, () => expireQuestions(deps), report)
}
