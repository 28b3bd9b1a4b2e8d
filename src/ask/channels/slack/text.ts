import { cutText } from '../../../platform/text.ts'

/** Slack's text object without any markup: no mention, link, emoji code or format works in it. */
export type PlainText = { type: 'plain_text'; text: string; emoji: false }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The three characters that Slack reads as control characters in every text object. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}

/** `text` for a text object of at most `most` characters as they travel; never empty. */
export function plainText(text: string, most: number): PlainText {
  return { type: 'plain_text', text: fitting(text.trim() || '–', most), emoji: false }
}

/**
 * The words of the notification that Slack shows before it has the blocks. It is read as markup,
 * whatever else is asked: so a mention that survives the escaping is broken up.
 */
export function fallback(text: string, most: number): string {
  return fitting(text.replace(/@(?=here|channel|everyone)/gi, '@\u200b'), most)
}

/** Escaped, and cut by whole characters until that fits. */
function fitting(text: string, most: number): string {
  const whole = escaped(text)
  if (whole.length <= most) return whole
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (escaped(cutText(text, middle)).length < most) good = middle
    else bad = middle
  }
  return `${escaped(cutText(text, good)).trimEnd()}…`
}
