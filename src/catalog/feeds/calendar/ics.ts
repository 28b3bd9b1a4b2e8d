import { shownText } from '../markdown/shown-text.ts'

// Not `ical-generator`: it puts backslashes into addresses with a `;` or `,`, writes the name of a
// calendar unescaped, and all categories into one list.

/** A property of a component: its name (with parameters) and its value, already in its type. */
export type IcsLine = readonly [name: string, value: string]

// RFC 5545, 3.1: a line has at most 75 octets without its end; the blank of a continuation counts.
const OCTETS = 75

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
  if (Buffer.byteLength(line) <= OCTETS) return line
  let out = ''
  let room = OCTETS
  let start = 0
  let at = 0
  for (const character of line) {
    const size = octets(character.codePointAt(0) as number)
    if (size > room) {
      out += `${line.slice(start, at)}\r\n `
      start = at
      room = OCTETS - 1
    }
    room -= size
    at += character.length
  }
  return out + line.slice(start)
}

/** How many octets a character has in UTF-8. */
function octets(point: number): number {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
