import type { Db } from '../db/database.ts'
import type { Backlog } from '../delivery/post.ts'
import type { DeliveryRow } from '../delivery/store.ts'
import type { Clock } from '../kernel/clock.ts'
import type { QuestionId } from '../kernel/ids.ts'
import { repeatEvery } from '../kernel/repeat.ts'
import { statusAt } from '../questions/lifecycle.ts'
import { findQuestion } from '../questions/store.ts'

export type RetryDeps = { db: Db; clock: Clock; post: Backlog }

// One look is one row of an index; the first retry of a question must not wait long for it.
const LOOK_EVERY_MS = 1_000
const TAKE_MAX = 500

/**
 * Sends again what is due: refused for the moment, or left behind by a process that ended. A push
 * of a question that has ended is given up. Resolves to how many were sent.
 */
export async function retryDeliveries(deps: RetryDeps): Promise<number> {
  const rows = await deps.post.takeDue(TAKE_MAX)
  if (rows.length === 0) return 0
  const over = await overQuestions(deps, rows)
  const isOver = (row: DeliveryRow) => row.message.kind === 'question' && over.has(row.subjectId)
  deps.post.giveUp(rows.filter(isOver), 'The question had ended.')
  const rest = rows.filter((row) => !isOver(row))
  deps.post.send(rest)
  return rest.length
}

async function overQuestions({ db, clock }: RetryDeps, rows: DeliveryRow[]): Promise<Set<string>> {
  const over = new Set<string>()
  const asking = rows.filter((row) => row.message.kind === 'question')
  for (const [subjectId, [row]] of Map.groupBy(asking, ({ subjectId }) => subjectId)) {
    if (!row) continue
    const question = await findQuestion(db.read, row.workspaceId, subjectId as QuestionId)
    if (!question || statusAt(question, clock.now()) !== 'pending') over.add(subjectId)
  }
  return over
}

/** Looks now and from then on every second, until disposed; `report` hears what went wrong. */
export function keepRetrying(deps: RetryDeps, report: (error: unknown) => void): AsyncDisposable {
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => retryDeliveries(deps), report)
}
