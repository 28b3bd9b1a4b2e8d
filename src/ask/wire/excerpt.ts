import { codePoints, cutText, graphemeAt } from '../../platform/text.ts'
import { dangersOfAction } from './danger/destructive.ts'

/** `isCut`: part of the text is missing. */
export type Excerpt = { text: string; isCut: boolean }

// This many spaces, line breaks or invisible characters in a row push text out of sight.
const PADDING = /[\s\p{Cf}\p{DI}\u2800\u115f\u1160\u3164\uffa0]{8,}|(?:[^\S\n]*\n){3,}\s*/gu
const GAP = ' … '
// More places than an excerpt has room for.
const RANGES_MAX = 64

type Range = [from: number, to: number]

/**
 * At most `most` characters of a line that says what happens, in its own order: all of it;
 * otherwise what is dangerous in it, with as much context as fits, and `…` where something is
 * missing; if nothing is dangerous, its beginning and its end. Padding counts as missing.
 */
export function excerptOf(text: string, most: number): Excerpt {
  const whole = squeezed(text).trim()
  if (codePoints(whole) <= most) return { text: whole, isCut: whole !== text.trim() }
  const ranges = rangesOf(text)
  const parts = ranges.length > 0 ? fitting(text, ranges, most) : endsOf(text, most)
  return { text: cutText(render(text, parts), Math.max(0, most)), isCut: true }
}

/** The text with padding replaced by a gap. */
export function squeezed(text: string): string {
  return text.replace(PADDING, GAP)
}

/** Lists the ranges that must be seen: one place for each reason first, then every other. */
function rangesOf(text: string): Range[] {
  const dangers = dangersOfAction(text)
  const first = dangers.flatMap(({ parts }) => parts)
  const rest = dangers.flatMap(({ all }) => all)
  return [...first, ...rest].slice(0, RANGES_MAX).map(([from, to]) => [from, to])
}

/** As many of the ranges as fit, by weight, then as much around each as fits. */
function fitting(text: string, ranges: Range[], most: number): Range[] {
  const fits = (parts: Range[]) => codePoints(render(text, parts)) <= most
  const fittingRanges: Range[] = []
  for (const range of ranges) {
    if (fits(joined([...fittingRanges, range]))) fittingRanges.push(range)
    else if (fittingRanges.length === 0)
      fittingRanges.push([range[0], range[0] + Math.max(0, most - 2 * GAP.length)])
  }
  const grown = (by: number) => joined(fittingRanges.map((range) => widened(text, range, by)))
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (fits(grown(middle))) good = middle
    else bad = middle
  }
  return grown(good)
}

function endsOf(text: string, most: number): Range[] {
  const parts = (room: number): Range[] => {
    const head = Math.floor((room * 2) / 3)
    return joined([
      widened(text, [0, head], 0),
      widened(text, [text.length - (room - head), text.length], 0),
    ])
  }
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (codePoints(render(text, parts(middle))) <= most) good = middle
    else bad = middle
  }
  return parts(good)
}

/** Never cuts through the middle of a grapheme. */
function widened(text: string, [from, to]: Range, by: number): Range {
  const first = Math.max(0, from - by)
  const last = Math.min(text.length, Math.max(to + by, first))
  return [graphemeAt(text, first)[0], graphemeAt(text, last)[1]]
}

/** In the order of the text, merging ranges that overlap or nearly touch. */
function joined(ranges: Range[]): Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b)
  const all: Range[] = []
  for (const [from, to] of sorted) {
    const before = all.at(-1)
    if (before && from <= before[1] + GAP.length) before[1] = Math.max(before[1], to)
    else all.push([from, to])
  }
  return all
}

function render(text: string, parts: Range[]): string {
  const texts = parts.map(([from, to]) => squeezed(text.slice(from, to)).trim()).filter(Boolean)
  const begins = parts[0]?.[0] === 0
  const ends = parts.at(-1)?.[1] === text.length
  return `${begins ? '' : '… '}${texts.join(GAP)}${ends ? '' : ' …'}`
}
