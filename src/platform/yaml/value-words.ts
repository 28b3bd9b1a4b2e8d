import { cleanLine, cutText } from '../text.ts'

/** Describes a value in a few words that are safe to print on a terminal. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'an empty value'
  if (typeof value === 'string') return JSON.stringify(shortenValue(value))
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'a mapping'
}

/** A text in one line, cut. */
export function shortenValue(text: string, most = 60): string {
  const line = cleanLine(text)
  return line.length > most ? `${cutText(line, most)}…` : line
}
