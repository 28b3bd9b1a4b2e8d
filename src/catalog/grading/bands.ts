import type { Methodology } from '../records/methodology.ts'

type Bands = Methodology['bands']

/** The grade of a score, given in tenths: the highest band that it reaches. */
export function gradeOfScore(bands: Bands, tenths: number): string {
  const reached = bands.find(({ from }) => tenths >= from * 10) ?? bands.at(-1)
  return reached?.grade ?? ''
}

/** The lower one of a grade and each cap: a cap never lifts (docs/catalog/grading.md). */
export function cappedGrade(bands: Bands, grade: string, caps: readonly string[]): string {
  const places = [grade, ...caps].map((name) => bandOf(bands, name))
  return bands[Math.max(...places)]?.grade ?? grade
}

/** Whether a grade is below another one. */
export function isBelow(bands: Bands, grade: string, least: string): boolean {
  return bandOf(bands, grade) > bandOf(bands, least)
}

/** The place of a grade among the bands, 0 the highest; -1 for one that is not among them. */
export function bandOf(bands: Bands, grade: string): number {
  return bands.findIndex((band) => band.grade === grade)
}
