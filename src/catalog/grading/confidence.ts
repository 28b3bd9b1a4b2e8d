import { CONFIDENCES } from '../records/grading.ts'

const NAMES: readonly string[] = CONFIDENCES

/** Whether one confidence is at least another; an unknown word is below all. */
export function isAsSureAs(confidence: string, least: string): boolean {
  const [place, limit] = [NAMES.indexOf(confidence), NAMES.indexOf(least)]
  return place >= 0 && limit >= 0 && place <= limit
}
