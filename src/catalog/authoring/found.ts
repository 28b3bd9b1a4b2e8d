import { cleanLine, cutText } from '../../platform/text.ts'

/** What stood there, in a few words that are safe on a terminal. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'an empty value'
  if (typeof value === 'string') return JSON.stringify(shortened(value))
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'a mapping'
}

export function shortened(text: string, most = 60): string {
  const line = cleanLine(text)
  return line.length > most ? `${cutText(line, most)}…` : line
}
