import type { AppliedNegative } from '../records/grading.ts'

/** Those that count on a day: from their date to their last day, both included. */
export function countingNegatives(
  negatives: readonly AppliedNegative[],
  today: string,
): AppliedNegative[] {
  return negatives.filter(({ date, expires }) => date <= today && today <= expires)
}

/** Their sum, which never falls below the floor; 0 without any. */
export function deductionOf(counting: readonly AppliedNegative[], floor: number): number {
  const sum = counting.reduce((total, { points }) => total + Math.min(points, 0), 0)
  // `|| 0` turns the -0 of an empty floor into 0.
  return Math.max(sum, floor) || 0
}
