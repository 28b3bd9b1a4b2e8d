import { CONFIDENCES } from '../records/grading.ts'

const NAMES: readonly string[] = CONFIDENCES

/** Whether a confidence is at least another; a word nobody knows is below all of them. */
export function isAsSureAs(confidence: string, least: string): boolean {
  const [place, limit] = [NAMES.indexOf(confidence), NAMES.indexOf(least)]
  return place >= 0 && limit >= 0 && place <= limit
}
