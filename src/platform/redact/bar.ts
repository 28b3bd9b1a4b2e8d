const SIGN = '▇'

/** The text in place of a secret; pages draw it as a bar with the reason beside it. */
export function barOf(what: string): string {
  return `${SIGN.repeat(3)} (${what})`
}

/** The texts in place of secrets. */
export const BARS = /▇▇▇+(?:\s?[[(][^\])\n]{1,80}[\])])?/gu

/** Returns true if a text contains a bar, the mark in place of a secret. */
export function hasBar(text: string): boolean {
  return text.includes(SIGN)
}

/** A letter of what a shell puts in, in a text where that is hidden from the search for secrets. */
export const PUT_IN = '\ufffc'

/** As long as before, with each bar as letters of one word: its parentheses are signs of a shell. */
export function barsAsLetters(text: string): string {
  return text.replace(BARS, (bar) => SIGN.repeat(bar.length))
}
