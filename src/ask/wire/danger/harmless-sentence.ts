import { programOf } from './pattern.ts'
import { rulesOf } from './table.ts'
import { transfers } from './transfers.ts'
import type { TableWord } from './words.ts'

// Such a text quotes, substitutes, pipes and groups nothing, and no letter looks like another one.
const PLAIN = /^[\t\n !#%*+,\-./0-9:;=?@A-Z[\]^_a-z~]*$/
// Each row that looks for words anywhere in a text contains one of these.
const WORDS_OF_ROWS =
  /drop|truncate|alter|delete|update|format|erase|wipe|destroy|purge|force|iex|invoke|iwr|irm|curl|\/dev\//i

/**
 * Returns true if a sentence is recognised as harmless without reading it character by character,
 * as most questions are, in a fraction of the time. False says nothing about it.
 */
export function isHarmlessSentence(text: string): boolean {
  if (!PLAIN.test(text) || WORDS_OF_ROWS.test(text)) return false
  return text.split(/[;\n]/).every(isHarmlessCommand)
}

function isHarmlessCommand(text: string): boolean {
  const words = text.split(/[ \t]+/).map(plainWord)
  return words.every((word, at) => {
    const program = programOf(word)
    const rest = words.slice(at + 1)
    // A program's name alone is an ordinary word in a sentence.
    const isHit = rulesOf(program).some((rule) => !rule.isBare && rule.match(rest))
    return !isHit && !transfers(program, rest)
  })
}

function plainWord(text: string): TableWord {
  return { text, span: [0, 0] }
}
