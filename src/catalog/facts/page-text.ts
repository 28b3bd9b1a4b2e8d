import { createHash } from 'node:crypto'
import { cleanText } from '../../platform/text.ts'
import { textInHtml } from './text-in-html.ts'

/**
 * A hash of the text of a page, without the parts that `normalText` removes. 64 hex characters;
 * undefined for a page without text.
 */
export function fingerprintOf(page: string, isHtml: boolean): string | undefined {
  const text = normalText(isHtml ? textInHtml(page) : page)
  return text === '' ? undefined : createHash('sha256').update(text).digest('hex')
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
  const shown = cleanText(text.slice(0, CHARS_MAX)).replace(/\p{Cf}+/gu, '')
  const folded = shown.normalize('NFKC').toLowerCase().normalize('NFKC')
  const blanked = folded.replace(/\s+/g, ' ').trim()
  return PASSING.reduce((rest, what) => rest.replace(what, TAKEN_OUT), blanked)
}
