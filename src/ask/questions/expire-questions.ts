import { repeatEvery } from '../../platform/repeat.ts'
import { type EndQuestionDeps, endQuestion } from './end-question.ts'
import { listOverdue } from './model/store.ts'

// Readers see `expired` at once; the sweep is for the pages and devices that are told.
const SWEEP_EVERY_MS = 1_000
const SWEEP_MAX = 500

/** Ends every question whose window is over; resolves to how many it ended. */
export async function expireQuestions(deps: EndQuestionDeps): Promise<number> {
  const overdue = await listOverdue(deps.db.read, deps.clock.now(), SWEEP_MAX)
  const ended = await Promise.all(overdue.map((question) => endQuestion(deps, 'expire', question)))
  return ended.filter(Boolean).length
}

/** Sweeps now and from then on every second, until disposed; `report` hears what went wrong. */
export function keepExpiring(
  deps: EndQuestionDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, SWEEP_EVERY_MS, () => expireQuestions(deps), report)
}
