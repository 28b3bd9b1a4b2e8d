import { cacheRecent } from '../../platform/once.ts'
import { nearFinder } from './near.ts'
import {
  type Concept,
  capabilityTerm,
  readConcepts,
  SYNONYM_WORDS,
  wordConcept,
} from './read-query.ts'
import { textTerms } from './words.ts'

/** The texts of a record that a search reads, and what its place depends on besides. */
export type SearchFields = {
  name: string
  capabilities: readonly string[]
  /** Category and tags. */
  purpose: readonly string[]
  /** Words of its filters, and the vendor. */
  facets: readonly string[]
  summary: string
  more: string
  /** From 0 to 100, or null without a grade. */
  score: number | null
  /** It can no longer be used. */
  ended: boolean
}

/** Finds records; best first, ended ones last. Equal ones stay in the order of the list. */
export type SearchIndex = { search(query: string): readonly number[] }

/** The place of a record, plus what a match there is worth, which is less than 1. */
type Posting = number

/** A number for each record; zero except while a search adds up. */
type Sums = Record<'own' | 'worth' | 'telling', Float64Array>

const WORTH = { name: 5, capability: 4, purpose: 4, facet: 2, summary: 2.5, more: 1 }
// How soon a word that occurs again counts no more.
const SATURATION = 3
const STEPS = 1_024
// Records that match much less than the best are left out.
const LEAST_SHARE = 0.25
// A grade moves a record by so much: between 0 and 100 points, half of it down or up.
const GRADE_SHARE = 0.3
const PREFIX = { letters: 3, worth: 0.6, most: 40 }
const NEAR_WORTH = [0.7, 0.6, 0.45]
const QUERIES_AT_HAND = 32

type Reader = {
  records: readonly SearchFields[]
  postings: ReadonlyMap<string, readonly Posting[]>
  /** The terms of all records, in order. */
  sorted: readonly string[]
  sums: Sums
  /** Terms and synonyms near a mistyped word. */
  near(term: string): Map<string, number>
}

/** Builds the index of a list of records, which are named by their places in it. */
export function createSearchIndex(records: readonly SearchFields[]): SearchIndex {
  const postings = readPostings(records)
  const sorted = [...postings.keys()].sort()
  const near = nearFinder([...new Set([...sorted, ...SYNONYM_WORDS])])
  const zeros = () => new Float64Array(records.length)
  const sums = { own: zeros(), worth: zeros(), telling: zeros() }
  const reader = { records, postings, sorted, sums, near }
  return { search: cacheRecent(QUERIES_AT_HAND, (query) => searchRecords(reader, query)) }
}

function readPostings(records: readonly SearchFields[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>()
  for (const [record, fields] of records.entries()) {
    for (const [term, worth] of termWorths(fields)) {
      // Whole steps, so that equal records stay equal.
      const posting = record + Math.round((STEPS * worth) / (worth + SATURATION)) / STEPS
      const list = postings.get(term)
      if (list) list.push(posting)
      else postings.set(term, [posting])
    }
  }
  return postings
}

function termWorths(fields: SearchFields): Map<string, number> {
  const { name, capabilities, purpose, facets, summary, more } = fields
  const worths = new Map<string, number>()
  const add = (terms: readonly string[], worth: number) => {
    for (const term of new Set(terms)) worths.set(term, (worths.get(term) ?? 0) + worth)
  }
  add(textTerms(name), WORTH.name)
  add(capabilities.map(capabilityTerm), WORTH.capability)
  add(capabilities.flatMap(commonTerms), WORTH.capability / 2)
  add(purpose.flatMap(commonTerms), WORTH.purpose)
  add(facets.flatMap(commonTerms), WORTH.facet)
  add(textTerms(summary), WORTH.summary)
  add(textTerms(more), WORTH.more)
  return worths
}

// Thousands of records have the same few words.
const commonTerms = cacheRecent(2_000, textTerms)

function searchRecords(reader: Reader, query: string): readonly number[] {
  const { records, sums } = reader
  const concepts = readConcepts(query)
  if (concepts.length === 0) return records.map((_, record) => record)
  const matches: number[] = []
  let telling = 0
  for (const concept of concepts.flatMap((one) => inRecordWords(reader, one))) {
    const places = addWorths(reader, concept)
    if (places.length === 0) continue
    telling += addConcept(reader, concept, places, matches)
  }
  const order = inOrder(reader, matches, telling)
  for (const record of matches) sums.worth[record] = sums.telling[record] = 0
  return order
}

/** Adds what each record has of a concept, by how rare it is, which is returned. */
function addConcept(
  { records, sums }: Reader,
  { weight }: Concept,
  places: readonly number[],
  matches: number[],
): number {
  const { own, worth, telling } = sums
  let most = 0
  for (const record of places) most = Math.max(most, own[record] ?? 0)
  let alike = 0
  for (const record of places) alike += ((own[record] ?? 0) / most) ** 2
  const rarity = Math.log(1 + records.length / alike) * weight
  for (const record of places) {
    if (worth[record] === 0) matches.push(record)
    const value = own[record] ?? 0
    worth[record] = (worth[record] ?? 0) + value * rarity
    telling[record] = (telling[record] ?? 0) + (value / most) * rarity
    own[record] = 0
  }
  return rarity
}

/** Match and grade decide; an unknown grade moves nothing. */
function inOrder({ records, sums }: Reader, matches: readonly number[], telling: number): number[] {
  const { worth, telling: own } = sums
  const matchOf = (record: number) => ((worth[record] ?? 0) * (own[record] ?? 0)) / telling
  let most = 0
  for (const record of matches) most = Math.max(most, matchOf(record))
  const order = matches.filter((record) => matchOf(record) >= LEAST_SHARE * most)
  // From here on, what the record is worth with its grade.
  for (const record of order) {
    const { score } = records[record] as SearchFields
    const byGrade = score === null ? 1 : 1 + GRADE_SHARE * (score / 100 - 0.5)
    worth[record] = matchOf(record) * byGrade
  }
  const isEnded = (record: number) => Number(records[record]?.ended ?? false)
  return order.sort((a, b) => isEnded(a) - isEnded(b) || (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
}

/** Sets what each record has of a concept: the best of its terms counts. Returns those records. */
function addWorths({ postings, sums: { own } }: Reader, { terms }: Concept): number[] {
  const places: number[] = []
  for (const [term, weight] of terms) {
    for (const posting of postings.get(term) ?? []) {
      const record = Math.floor(posting)
      const worth = (posting - record) * weight
      const before = own[record] ?? 0
      if (before === 0) places.push(record)
      if (worth > before) own[record] = worth
    }
  }
  return places
}

/** A concept in words that records have: longer ones, near ones, or the two that it is made of. */
function inRecordWords(reader: Reader, concept: Concept): Concept[] {
  const { word, terms } = concept
  if (word.includes(' ')) return [concept]
  const plain = { ...concept, terms: new Map([...longerTerms(reader, word), ...terms]) }
  if (plain.terms.keys().some((term) => reader.postings.has(term))) return [plain]
  const near = nearestTerms(reader, word)
  return near.size > 0 ? [{ ...concept, terms: near }] : partsOf(reader, word)
}

function nearestTerms(reader: Reader, word: string): Map<string, number> {
  const near = reader.near(word)
  const distance = Math.min(...near.values())
  const worth = NEAR_WORTH[distance] ?? 0
  const nearest = [...near].flatMap(([term, own]) => (own === distance ? [wordConcept(term)] : []))
  return new Map(
    nearest.flatMap(({ terms }) =>
      [...terms].map(([term, weight]) => [term, weight * worth] as const),
    ),
  )
}

function longerTerms({ sorted }: Reader, word: string): Array<[string, number]> {
  if (word.length < PREFIX.letters) return []
  const longer: Array<[string, number]> = []
  for (let at = firstAtLeast(sorted, word); longer.length < PREFIX.most; at++) {
    const term = sorted[at]
    if (!term?.startsWith(word)) break
    longer.push([term, PREFIX.worth])
  }
  return longer
}

function firstAtLeast(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) < word) low = middle + 1
    else high = middle
  }
  return low
}

/** Two words that were written as one: "webscraping". */
function partsOf({ postings }: Reader, word: string): Concept[] {
  for (let at = PREFIX.letters; at <= word.length - PREFIX.letters; at++) {
    const parts = [word.slice(0, at), word.slice(at)].flatMap(textTerms)
    if (parts.every((part) => postings.has(part))) return parts.map(wordConcept)
  }
  return []
}
