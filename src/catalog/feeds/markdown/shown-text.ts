import { cleanLine, cleanText } from '../../../platform/text.ts'

// Invisible characters that can carry hidden text: tags, fillers, other format characters,
// supplementary variation selectors, and what XML forbids. Joiners stay, because scripts and emoji
// need them.
const HIDDEN =
  /(?![\u200c\u200d])[\p{Cf}\p{Noncharacter_Code_Point}\u115f\u1160\u3164\uffa0]|[\u{e0100}-\u{e01ef}]/gu

/** Removes control, bidi and invisible characters from text of a record; lines stay. */
export function shownText(text: string): string {
  return cleanText(text).replace(HIDDEN, '')
}

/** As `shownText`, on one line. */
export function shownLine(text: string): string {
  return cleanLine(shownText(text).replaceAll('\u0085', ' '))
}

/**
 * An absolute http or https address, encoded for Markdown, XML and HTML; undefined for anything
 * else.
 */
export function shownAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const parsed = new URL(url)
  if (!['http:', 'https:'].includes(parsed.protocol)) return undefined
  if (parsed.username || parsed.password) return undefined
  return parsed.href.replace(/[^\w\-./:?#@!$&+,;=~%[\]*]/gu, escapedByte)
}

function escapedByte(character: string): string {
  if (character === "'") return '%27'
  if (character === '(') return '%28'
  if (character === ')') return '%29'
  return encodeURIComponent(character)
}

/** Text of several lines inside an element of XML or HTML. */
export function xmlText(text: string): string {
  return Bun.escapeHTML(shownText(text))
}

/** Text of one line: inside an element or an attribute. */
export function xmlLine(text: string): string {
  return Bun.escapeHTML(shownLine(text))
}
