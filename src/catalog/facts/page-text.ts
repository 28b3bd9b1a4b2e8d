import { decodeHtmlEntities } from '../../platform/html-entities.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanText, cutUnits } from '../../platform/text.ts'

/**
 * A hash of the text of a page, without the parts that `normalText` removes. 64 hex characters;
 * undefined for a page without text.
 */
export function fingerprintOf(page: string, isHtml: boolean): string | undefined {
  const text = normalText(isHtml ? textInHtml(page) : page)
  return text === '' ? undefined : sha256(text)
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY_NUMBER = '\\d{1,2}(?:st|nd|rd|th)?'

/**
 * Parts that differ between two fetches of an unchanged page. Every date goes, not only today's,
 * which would come back tomorrow.
 */
const PASSING: readonly RegExp[] = [
  // Instants and days in digits: 2026-11-21t08:00:00z, 2026-11-21, 21.11.2026, 11/21/2026.
  /\b\d{4}-\d{2}-\d{2}(?:t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?)?\b/g,
  /\b\d{1,2}([./-])\d{1,2}\1\d{4}\b/g,
  // Days in words: november 21, 2026; 21 nov 2026.
  new RegExp(`\\b${MONTH}\\.? ${DAY_NUMBER},? \\d{4}\\b`, 'g'),
  new RegExp(`\\b${DAY_NUMBER} ${MONTH}\\.?,? \\d{4}\\b`, 'g'),
  // Times of the day: 08:00, 8:00:15 pm utc.
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?(?: ?(?:utc|gmt))?(?![\w:])/g,
  // How long ago: 5 minutes ago, an hour ago.
  /\b(?:\d{1,4}|an?|few) (?:second|minute|hour|day|week|month|year)s? ago\b/g,
  // The year of a copyright.
  /(?:©|\(c\)|\bcopyright) ?(?:\d{4} ?[-–] ?)?\d{4}\b/g,
  // Tokens: UUIDs, and 16 or more letters and digits with both among them.
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  /\b(?=[a-z]{0,63}\d)(?=\d{0,63}[a-z])[a-z0-9]{16,}\b/g,
]
// Stands in for what was removed, so that its neighbours do not join into a new match.
const TAKEN_OUT = '·'
// Longer texts are cut; no page of prices or terms has more.
const CHARS_MAX = 300_000

/**
 * Lower case, one blank between words, without dates, times and tokens. Applying it twice changes
 * nothing.
 */
export function normalText(text: string): string {
  const visible = cleanText(cutUnits(text, CHARS_MAX)).replace(/\p{Cf}+/gu, '')
  const folded = visible.normalize('NFKC').toLowerCase().normalize('NFKC')
  const blanked = folded.replace(/\s+/g, ' ').trim()
  return PASSING.reduce((rest, what) => rest.replace(what, TAKEN_OUT), blanked)
}

// Elements that are skipped with everything inside.
const UNREAD = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'canvas',
  'head',
  'select',
  'textarea',
  'time',
])
// A <main> with less text is an empty frame that scripts fill.
const MAIN_CHARS_MIN = 200

/**
 * The text that a page shows: that of its `<main>` if there is enough in it, else all of it.
 * Scripts, styles, comments and attributes are skipped. Takes linear time; `HTMLRewriter` can take
 * 800 MB for a page of four megabytes.
 */
export function textInHtml(html: string): string {
  const all: string[] = []
  const main: string[] = []
  const lower = html.toLowerCase()
  let inMain = 0
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const text = decodeHtmlEntities(html.slice(at, open < 0 ? html.length : open))
    all.push(text)
    if (inMain > 0) main.push(text)
    if (open < 0) break
    const tag = tagAt(lower, open)
    if (tag.name === 'main') inMain = Math.max(0, inMain + (tag.closes ? -1 : 1))
    // A tag separates words.
    all.push(' ')
    main.push(' ')
    const skips = UNREAD.has(tag.name) && !tag.closes && !isEmptyPicture(lower, tag)
    at = skips ? endOfElement(lower, tag.name, tag.end) : tag.end
  }
  const inside = main.join('')
  return inside.trim().length >= MAIN_CHARS_MIN ? inside : all.join('')
}

type Tag = { name: string; closes: boolean; end: number }

function tagAt(lower: string, open: number): Tag {
  const nothing = { name: '', closes: false }
  if (lower.startsWith('<!--', open)) return { ...nothing, end: after(lower, '-->', open + 4) }
  const closes = lower[open + 1] === '/'
  const name = nameAt(lower, open + (closes ? 2 : 1))
  // A `<` that starts no tag, as in 1 < 2, is dropped, every time.
  if (name === '' && !/[!?/]/.test(lower[open + 1] ?? '')) return { ...nothing, end: open + 1 }
  return { name, closes, end: endOfTag(lower, open + 1) }
}

// How much of the end of a tag is read, so that a long tag takes no longer.
const TAG_END_CHARS = 200

/** `<svg/>`: the one skipped element that a slash ends, unless it belongs to an unquoted value. */
function isEmptyPicture(lower: string, { name, end }: Tag): boolean {
  if (name !== 'svg' || lower[end - 2] !== '/') return false
  return !/=[^\s"'>]*\/>$/.test(lower.slice(Math.max(0, end - TAG_END_CHARS), end))
}

function nameAt(lower: string, start: number): string {
  let end = start
  while (end < lower.length && end - start < 20 && /[a-z0-9-]/.test(lower[end] as string)) end++
  return /^[a-z]/.test(lower[start] ?? '') ? lower.slice(start, end) : ''
}

/** The position after the first `>` outside quotes; the end of the page if no `>` follows. */
function endOfTag(lower: string, start: number): number {
  let quote = ''
  for (let at = start; at < lower.length; at++) {
    const sign = lower[at] as string
    if (quote === '' && sign === '>') return at + 1
    if (quote === '' && (sign === '"' || sign === "'") && lower[at - 1] === '=') quote = sign
    else if (sign === quote) quote = ''
  }
  return lower.length
}

function endOfElement(lower: string, name: string, start: number): number {
  const close = `</${name}`
  let at = lower.indexOf(close, start)
  // `</header` does not end a `head`.
  while (at >= 0 && nameAt(lower, at + 2) !== name) at = lower.indexOf(close, at + close.length)
  return at < 0 ? lower.length : endOfTag(lower, at)
}

function after(text: string, what: string, start: number): number {
  const at = text.indexOf(what, start)
  return at < 0 ? text.length : at + what.length
}
