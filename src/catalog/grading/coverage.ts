import type { AppliedGate } from '../records/grading.ts'
import type { Methodology } from '../records/methodology.ts'
import type { Sum } from './add-up.ts'

// Shares are compared as whole numbers: so many parts of one.
const PARTS = 10_000

export type Coverage = {
  /** Scored / applicable weights, 0..1, cut (never rounded up) to four decimals. */
  share: number
  isAtLeast(share: number): boolean
}

/** How much of what applies is scored; 0 when nothing applies. */
export function coverageOf({ scoredWeight, applicableWeight }: Sum): Coverage {
  return {
    share:
      applicableWeight === 0 ? 0 : Math.floor((scoredWeight * PARTS) / applicableWeight) / PARTS,
    isAtLeast: (share) =>
      scoredWeight > 0 && scoredWeight * PARTS >= Math.round(share * PARTS) * applicableWeight,
  }
}

/** The cap of a grade of which too little is known. */
export function coverageGate(
  { coverage: { full, cap } }: Methodology,
  coverage: Coverage,
): AppliedGate[] {
  if (coverage.isAtLeast(full)) return []
  const reason = `${percent(coverage.share)} % of the weights that apply are scored, less than ${percent(full)} %.`
  return [{ code: 'thin-coverage', cap, reason }]
}

function percent(share: number): number {
  return Math.round(share * PARTS) / (PARTS / 100)
}
