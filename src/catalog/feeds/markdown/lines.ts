import { mdText } from './escape.ts'

/** `- **Label:** text`, or nothing without a text. `text` is Markdown already. */
export function factLine(label: string, text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`- **${mdText(label)}:** ${text}`]
}

/** Texts of the record as the items of a list. */
export function items(texts: readonly string[]): string[] {
  return texts.map(mdText).flatMap((text) => (text === '' ? [] : [`- ${text}`]))
}

/** Words of the record in one line. */
export function joinedWords(texts: readonly string[]): string {
  return texts.map(mdText).filter(Boolean).join(', ')
}

/** A heading with its lines; nothing without lines. */
export function markdownSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')]
}

/** US dollars without an exponent, however small: `0.0001 USD`. */
export function usdAmount(amount: number): string {
  const plain = amount.toFixed(12).replace(/\.?0+$/u, '')
  return `${plain} USD`
}
