import type { Span } from './reading.ts'

// Letters that cannot be seen, or that change the order or the look of others. A carriage return
// is part of a word for a shell.
const UNSEEN = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{DI}\u2800]/u

// In a picture they join its parts.
const EMOJI = /\p{Extended_Pictographic}(\ufe0f|\u200d\p{Extended_Pictographic})*/gu

/** The first letter of a text that a person cannot see; undefined: all can be seen. */
export function findUnseen(text: string): Span | undefined {
  const found = UNSEEN.exec(text.replace(EMOJI, (emoji) => '.'.repeat(emoji.length)))
  return found ? [found.index, found.index + found[0].length] : undefined
}
