import { createHash } from 'node:crypto'
import { cleanText } from '../../platform/text.ts'
import { textInHtml } from './text-in-html.ts'

/**
 * A hash of what a page says, the same for as long as it says the same. Taken out before: see
 * `normalText`. Hex, 64 characters; undefined for a page without any text.
 */
export function fingerprintOf(page: string, isHtml: boolean): string | undefined {
  const text = normalText(isHtml ? textInHtml(page) : page)
  return text === '' ? undefined : createHash('sha256').update(text).digest('hex')
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY_NUMBER = '\\d{1,2}(?:st|nd|rd|th)?'

/**
 * Each is something that differs from one fetch to the next although the page says the same. A
 * date goes whatever day it names: one that is the present day's would come back tomorrow.
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
// It keeps apart what stood around, so that taking out makes nothing new that would be taken out.
const TAKEN_OUT = '·'
// More is not looked at: no page of prices or terms says more.
const CHARS_MAX = 300_000

/** Small letters, one blank between words, and nothing that passes; of that it takes out nothing. */
export function normalText(text: string): string {
  const shown = cleanText(text.slice(0, CHARS_MAX)).replace(/\p{Cf}+/gu, '')
  const folded = shown.normalize('NFKC').toLowerCase().normalize('NFKC')
  const blanked = folded.replace(/\s+/g, ' ').trim()
  return PASSING.reduce((rest, what) => rest.replace(what, TAKEN_OUT), blanked)
}
