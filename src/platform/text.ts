// Control characters except tab and newline, and characters that change the reading direction or
// hide text.
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
 * `text` for a terminal: each control and bidi character is written as in JSON (`\u001b`), so that
 * it cannot move the cursor or turn a line around. JSON stays the same JSON.
 */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (sign) => escaped(sign.charCodeAt(0)))
}

// Spaces, format characters, marks with nothing under them, fillers that count as letters, and
// three signs without ink: an empty braille cell, a null notehead, a placeholder for an object.
const BLANK = /^[\s\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\ufffc]*$/u

/** Returns true if nothing of `text` is visible. */
export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

/** The message for a field that `isBlank`. */
export const MUST_BE_SEEN = 'must have something that can be seen'

/**
 * The beginning of `text` in at most `most` code points, which is what limits count. It ends between
 * graphemes, and inside one only if that is longer than 64 code points or is the first.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (let points = 0; points < most && end < text.length; points++) {
    const point = text.codePointAt(end) as number
    end += point > 0xffff ? 2 : 1
  }
  return text.slice(0, cutAt(text, end))
}

/** As `cutText`, in at most `most` UTF-16 code units, which is what `length` counts. */
export function cutUnits(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, cutAt(text, most))
}

/** The last place up to `end` where `text` may be cut. */
function cutAt(text: string, end: number): number {
  const [start] = graphemeAt(text, end)
  if (start > 0) return start
  return isInsidePair(text, end) ? end - 1 : end
}

// A longer grapheme is no sign that somebody reads, but marks piled up to hide or empty a text.
const GRAPHEME_POINTS_MAX = 64
// Only this much before and after a cut is searched for graphemes, so that length costs nothing.
const NEAR_UNITS = 4 * GRAPHEME_POINTS_MAX
const REGIONAL = /^[\u{1f1e6}-\u{1f1ff}]/u
let graphemes: Intl.Segmenter | undefined

/**
 * Where the grapheme begins and ends that a cut at `at` would split; `at` twice where none is split
 * or it is longer than 64 code points. A surrogate pair is never split.
 */
export function graphemeAt(text: string, at: number): [start: number, end: number] {
  const nothing: [number, number] = [at, at]
  if (at <= 0 || at >= text.length) return nothing
  const isPlain = text.charCodeAt(at) < 0x300 && text.charCodeAt(at - 1) < 0x300
  if (isPlain && text[at] !== '\n') return nothing
  let from = Math.max(0, at - NEAR_UNITS)
  if (isInsidePair(text, from)) from--
  // Flags are pairs, counted from the first of a row.
  while (from >= 2 && REGIONAL.test(text.slice(from - 2, from))) from -= 2
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const near = text.slice(from, at + NEAR_UNITS)
  const segment = graphemes.segment(near).containing(at - from)
  if (!segment || segment.index === at - from) return nothing
  if (codePoints(segment.segment) <= GRAPHEME_POINTS_MAX) {
    return [from + segment.index, from + segment.index + segment.segment.length]
  }
  return isInsidePair(text, at) ? [at - 1, at + 1] : nothing
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** How many code points `text` has, which is what limits of text count. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

// Characters that are invisible, turn text around or end a line (tags and variation selectors can
// hide words), wide quotation marks (joiners of letters and emoji are allowed), and the beginning
// of what a client may read as a tag of its own.
const NOT_PLAIN =
  /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}\uff02]|[\u{e0100}-\u{e01ef}]|<(?=[a-z!/?])/giu

/**
 * `value` from outside as JSON inside a sentence: no text in it can end before its quotation mark,
 * start a second line or hide anything, and `JSON.parse` returns it unchanged.
 */
export function quotedJson(value: string | object): string {
  return JSON.stringify(value).replace(NOT_PLAIN, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escaped(sign.charCodeAt(at))).join(''),
  )
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** The beginning of `text` in at most `most` bytes of UTF-8, with a mark where it was cut. */
export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  let end = 0
  let size = Buffer.byteLength(CUT)
  for (const sign of text) {
    size += Buffer.byteLength(sign)
    if (size > most) break
    end += sign.length
  }
  return text.slice(0, cutAt(text, end)) + CUT
}

const CUT = '…'

// A byte order mark is no part of JSON, so it is not removed unseen.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined for bytes that are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}
