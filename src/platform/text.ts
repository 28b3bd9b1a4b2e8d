// Control characters except tab and newline, and what turns the reading direction or hides text.
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\ufeff]/gu
const LINE_BREAKS = /[\n\t\u2028\u2029]+/g

/** Text from outside without NUL, control and bidi characters; CRLF becomes LF. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, '').toWellFormed()
}

/** As `cleanText`, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(LINE_BREAKS, ' ').trim()
}

/**
 * `text` for a terminal: each control and bidi character as it is written in JSON (`\u001b`), so
 * that it moves no cursor and turns no line around. JSON stays the same JSON.
 */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// Blanks, what only formats, marks with nothing under them, fillers that are letters by their
// category, and three signs without ink: an empty braille cell, a null notehead, a place for an object.
const BLANK = /^[\s\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\ufffc]*$/u

/** Whether nothing of `text` can be seen. */
export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

/** The message for a field that `isBlank`. */
export const MUST_BE_SEEN = 'must have something that can be seen'

/** The first `most` code points of `text`: never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (let points = 0; points < most && end < text.length; points++) {
    const point = text.codePointAt(end) as number
    end += point > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/** How many code points `text` has: what limits of text count. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
