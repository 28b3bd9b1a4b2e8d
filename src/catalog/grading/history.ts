import type { Tombstone } from '../records/change.ts'
import type { GradeHistoryItem } from '../records/grading.ts'
import { formerSlugs } from '../records/renames.ts'

/** Published grades by slug, oldest first. */
export type GradeHistory = ReadonlyMap<string, readonly GradeHistoryItem[]>

/** The published grades of a slug, including those under its earlier names. */
export function historyOf(
  earlier: GradeHistory,
  removed: readonly Tombstone[],
  slug: string,
): readonly GradeHistoryItem[] {
  const before = formerSlugs(removed).get(slug) ?? []
  for (const name of [slug, ...before]) {
    const history = earlier.get(name)
    if (history && history.length > 0) return history
  }
  return []
}

/**
 * The history with today's grade appended; entries are never changed. An unchanged grade adds
 * nothing, and a tool that was never graded has no history.
 */
export function continued(
  earlier: readonly GradeHistoryItem[],
  now: GradeHistoryItem,
): GradeHistoryItem[] {
  const last = earlier.at(-1)
  if (last === undefined) return now.grade === null ? [] : [now]
  return isSame(last, now) ? [...earlier] : [...earlier, now]
}

function isSame(a: GradeHistoryItem, b: GradeHistoryItem): boolean {
  const text = ({
    basis,
    confidence,
    grade,
    methodology,
    pending,
    run,
    runLabel,
    score,
  }: GradeHistoryItem) =>
    JSON.stringify([basis, confidence, grade, methodology, pending, run, runLabel, score])
  return text(a) === text(b)
}
