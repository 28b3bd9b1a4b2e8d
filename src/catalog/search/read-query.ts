import { SYNONYMS } from './synonyms.ts'
import { isSmall, splitWords, termsOf } from './words.ts'

/**
 * One thing that a query names: the terms that mean it, each with how well, up to 1. A phrase weighs
 * more than a word.
 */
export type Concept = { word: string; terms: Map<string, number>; weight: number }

const WORDS_MAX = 16
const PHRASE_MAX = 4
const PHRASE_WEIGHT = 1.6
const WORTH = { capability: 0.9, other: 0.8, part: 0.35 }

/** The term of a whole capability; no word has its sign. */
export function capabilityTerm(capability: string): string {
  return `=${capability}`
}

const byPhrase = phrases()

/** The synonyms of one word, for a mistyped word that comes near it. */
export const SYNONYM_WORDS: readonly string[] = [...byPhrase.keys()].filter(
  (phrase) => !phrase.includes(' '),
)

/** Reads the concepts of a query: phrases that mean something together, then single words. */
export function readConcepts(query: string): Concept[] {
  const words = splitWords(query).slice(0, WORDS_MAX)
  const concepts: Concept[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at)
    const word = words[at] as string
    if (phrase) concepts.push(phrase.concept)
    else if (!isSmall(word)) concepts.push(...termsOf(word).map(wordConcept))
    at += phrase?.length ?? 1
  }
  const plain = concepts.length > 0 ? concepts : words.flatMap(termsOf).map(wordConcept)
  return [...new Map(plain.map((concept) => [concept.word, concept])).values()]
}

/** A term with what is also called so. */
export function wordConcept(term: string): Concept {
  return { word: term, terms: new Map([...(byPhrase.get(term) ?? []), [term, 1]]), weight: 1 }
}

function phraseAt(words: readonly string[], from: number) {
  for (let length = PHRASE_MAX; length > 1; length--) {
    const slice = words.slice(from, from + length)
    const telling = slice.filter((word) => !isSmall(word))
    if (telling.length < 2 || isSmall(slice.at(-1) as string)) continue
    const key = keyOf(slice)
    const finds = byPhrase.get(key)
    if (!finds) continue
    const parts = telling.flatMap(termsOf)
    const terms = new Map([...parts.map((part) => [part, WORTH.part] as const), ...finds])
    return { length, concept: { word: key, terms, weight: PHRASE_WEIGHT } }
  }
  return undefined
}

/** The terms of a phrase without its small words: "search the web" is "search web". */
function keyOf(words: readonly string[]): string {
  const telling = words.filter((word) => !isSmall(word))
  return (telling.length > 0 ? telling : words).flatMap(termsOf).join(' ')
}

function phrases(): Map<string, Map<string, number>> {
  const all = new Map<string, Map<string, number>>()
  for (const [finds, texts] of SYNONYMS) {
    for (const text of texts.split(',')) {
      const key = keyOf(splitWords(text))
      const terms = all.get(key) ?? new Map<string, number>()
      all.set(key, terms)
      for (const find of finds.split(' ')) {
        if (find.includes('.')) terms.set(capabilityTerm(find), WORTH.capability)
        else for (const term of splitWords(find).flatMap(termsOf)) terms.set(term, WORTH.other)
      }
    }
  }
  return all
}
