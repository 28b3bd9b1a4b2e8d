import type { Methodology } from '../records/methodology.ts'

type Bands = Methodology['bands']

/** The grade of a score in tenths: the highest band that it reaches. */
export function gradeOfScore(bands: Bands, tenths: number): string {
  const reached = bands.find(({ from }) => tenths >= from * 10) ?? bands.at(-1)
  return reached?.grade ?? ''
}

/** The lowest of a grade and all caps; a cap never raises it (docs/catalog/grading.md). */
export function cappedGrade(bands: Bands, grade: string, caps: readonly string[]): string {
  const places = [grade, ...caps].map((name) => bandOf(bands, name))
  return bands[Math.max(...places)]?.grade ?? grade
}

/** True if a grade is below another one. */
export function isBelow(bands: Bands, grade: string, least: string): boolean {
  return bandOf(bands, grade) > bandOf(bands, least)
}

/** The position of a grade among the bands, 0 for the highest; -1 for an unknown one. */
export function bandOf(bands: Bands, grade: string): number {
  return bands.findIndex((band) => band.grade === grade)
}
