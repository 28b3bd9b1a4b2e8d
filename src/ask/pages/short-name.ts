import { codePoints, cutText } from '../../platform/text.ts'

const SHOWN_MAX = 40

/** A name as a list shows it: a page of long ones is not heavier than one of short ones. */
export function shortName(name: string): string {
  return codePoints(name) > SHOWN_MAX ? `${cutText(name, SHOWN_MAX - 1)}…` : name
}
