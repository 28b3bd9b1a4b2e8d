import { cleanText, codePoints, cutText } from '../../platform/text.ts'
import { cutMark, readCutMark } from './cut-mark.ts'
import { type ForShell, redactCommand } from './reading/redact.ts'

const BODY_MAX = 4_000
// Room for the sentence about what is missing.
const BODY_KEPT = 3_900

/** Text that is folded on the page: redacted, and cut with a note that it was cut. */
export function bodyOf(text: string, is: ForShell = { isShell: false }): { actionBody?: string } {
  const clean = redactCommand(cleanText(text), is)
  if (clean.trim() === '') return {}
  if (text.length <= BODY_MAX && codePoints(clean) <= BODY_MAX) return { actionBody: clean }
  const excerpt = cutText(clean, BODY_KEPT)
  // A part of it may have been cut before.
  const before = readCutMark(text)
  const more = before + Math.max(1, codePoints(text.slice(0, 1_000_000)) - BODY_KEPT)
  return { actionBody: `${excerpt}${cutMark(more)}` }
}
