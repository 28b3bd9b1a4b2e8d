import { cacheRecent } from '../../../platform/once.ts'

// Pairs of letters in common words. Tokenizers join letters that often stand together, so other
// pairs count as a token of their own.
const COMMON = `
  the of and to in is for that with on are from this be as by or it an not have has can which you
  your their was will one all when more than other about there each before after into over only
  use used using user key api request response message server client tool call cost price payment
  pay free usage plan account token data file search model library package version release support
  service platform provider customer company developer email phone number send receive create
  update delete list read write open source public private secret storage stream batch queue
  limit rate error status health security login sign subscription month year day hour minute
  available required optional default example documentation reference install command python
  javascript typescript node java rust language framework agent assistant chat completion embed
  image video audio voice text transcription translation scrape crawl browser proxy page website
  network chain wallet transaction stable coin currency exchange market order checkout invoice
  database index query vector memory cache cloud region global local self hosted managed enterprise
  license apache policy privacy terms legal entity vendor registered domain change notice rename
  breaking shutdown removal deprecated replacement migration upgrade good high low fast slow small
  large good strong weak well known clear simple complete missing without between through against`
const PAIRS = new Set(
  COMMON.split(/\s+/u).flatMap((word) => [...word].slice(1).map((letter, at) => word[at] + letter)),
)
// A blank before a word or sign belongs to its token; before a number or another blank it does not.
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|\d+|(?! [^\s\d])[^A-Za-z\d]/gu
const LETTER = /^[A-Za-z]/u
const [ZERO, NINE, ASCII_END] = [0x30, 0x39, 0x80]
// Records share most of their words.
const WORDS_KEPT = 4_000
const bytes = new TextEncoder()

/**
 * An upper bound of the tokens that current models make of `text` (tested with two families of
 * tokenizers). An exact count would need megabytes of tables.
 */
export function tokensAtMost(text: string): number {
  let count = 0
  let wordEndsAt = 0
  PIECES.lastIndex = 0
  for (let match = PIECES.exec(text); match; match = PIECES.exec(text)) {
    const { 0: piece, index } = match
    const isWord = LETTER.test(piece)
    count += isWord ? wordWeight(piece) : signWeight(piece)
    // Compound words are split at rare pairs, not where their parts begin.
    if (isWord && index > 0 && index === wordEndsAt) count++
    if (isWord) wordEndsAt = PIECES.lastIndex
  }
  // A few rare words are counted one token too low; the rest of a sentence makes up for it.
  return Math.ceil(count) + 1
}

function signWeight(piece: string): number {
  const code = piece.charCodeAt(0)
  if (code >= ZERO && code <= NINE) return Math.ceil(piece.length / 3)
  if (piece.length === 1 && code < ASCII_END) return 1
  return bytes.encode(piece).length
}

const wordWeight = cacheRecent(WORDS_KEPT, (word) => {
  const lower = word.toLowerCase()
  let rare = 0
  for (let at = 1; at < lower.length; at++) if (!PAIRS.has(lower.slice(at - 1, at + 1))) rare++
  const shouted = word.length > 1 && /^[A-Z]+$/u.test(word) ? 2 : 1
  return Math.min(word.length, 1 + rare + (shouted * lower.length) / 5)
})
