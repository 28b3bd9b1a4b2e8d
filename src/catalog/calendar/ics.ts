import { shownText } from '../markdown/shown-text.ts'

/** A property of a component: its name (with parameters) and its value, already in its type. */
export type IcsLine = readonly [name: string, value: string]

// RFC 5545, 3.1: a line has at most 75 octets without its end; the blank of a continuation counts.
const OCTETS = 75
const bytes = new TextEncoder()

/** A value of the type TEXT (RFC 5545, 3.3.11): commas, semicolons, backslashes, ends of lines. */
export function icsText(text: string): string {
  return shownText(text)
    .trim()
    .replace(/[\\;,]/gu, '\\$&')
    .replace(/[\n\u2028\u2029]/gu, '\\n')
    .replaceAll('\t', ' ')
}

/** `2026-11-21` as a value of the type DATE. */
export function icsDate(day: string): string {
  return day.replaceAll('-', '')
}

/** The start of a day as a value of the type DATE-TIME in UTC. */
export function icsStartOfDay(day: string): string {
  return `${icsDate(day)}T000000Z`
}

/** The day after, as `2026-11-22`. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Lines as a calendar file has them: folded, each ended by CR LF. */
export function icsFile(lines: Iterable<IcsLine>): string {
  let file = ''
  for (const [name, value] of lines) file += `${folded(`${name}:${value}`)}\r\n`
  return file
}

/** Cut into pieces of at most 75 octets, never within a character. */
function folded(line: string): string {
  if (bytes.encode(line).length <= OCTETS) return line
  let out = ''
  let room = OCTETS
  for (const character of line) {
    const size = bytes.encode(character).length
    if (size > room) {
      out += '\r\n '
      room = OCTETS - 1
    }
    out += character
    room -= size
  }
  return out
}
