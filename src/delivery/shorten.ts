import { cutText } from '../kernel/text.ts'

// An address longer than this would crowd the words out.
const ADDRESS_MAX = 700

/** An absolute web address, or undefined for what a notification must not open. */
export function webAddress(text: string, baseUrl: string): string | undefined {
  const url = URL.parse(text, baseUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > ADDRESS_MAX) return undefined
  return url.href
}

/** Whether `text` has at most so many bytes. */
export function fits(text: string, most: number): boolean {
  return Buffer.byteLength(text) <= most
}

/** The longest beginning of `body`, by code point and with an ellipsis, that `isGood`. */
export function longestFitting(body: string, isGood: (body: string) => boolean): string {
  let good = 0
  let bad = body.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isGood(`${cutText(body, middle)}…`)) good = middle
    else bad = middle
  }
  return good === 0 ? '' : `${cutText(body, good).trimEnd()}…`
}
