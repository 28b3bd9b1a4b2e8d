import { shownAddress, shownLine, shownText } from './shown-text.ts'

// Characters with a meaning anywhere in a line.
const INLINE = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|[a-z][a-z0-9]*;)/giu
// Beginnings of a line that start a block: heading, list, quote, underline, rule, fence.
const BLOCK = /^([#+\-=>:|])/u
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/u

/** Escapes a line of a record, so that CommonMark shows it as it is wherever it is put. */
export function mdText(text: string): string {
  return escaped(shownLine(text))
}

/** Text of several lines as a quotation, with a visible start and end. */
export function mdQuote(text: string): string {
  const lines = shownText(text)
    .split(/[\n\u2028\u2029]/u)
    .map((line) => escaped(line.trim()))
  const paragraphs = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
  return paragraphs
    .join('\n')
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** A line as code. Backticks inside it cannot end it. */
export function mdCode(text: string): string {
  const line = shownLine(text)
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** Several lines as a block of code, with a fence longer than any inside. */
export function mdCodeBlock(text: string): string {
  const body = shownText(text).replace(/\n+$/u, '')
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${fence}text\n${body}\n${fence}`
}

/** A link; text that is not an http or https address stays text. */
export function mdAddress(url: string): string {
  const address = shownAddress(url)
  return address === undefined ? mdText(url) : `<${address}>`
}

function escaped(line: string): string {
  return line.replace(INLINE, '\\$&').replace(BLOCK, '\\$1').replace(NUMBERED, '$1\\$2')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/gu)].map((run) => run[0].length))
}
