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
type Match = { record: number; worth: number; telling: number }

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
  /** Terms and synonyms near a mistyped word. */
  near(term: string): Map<string, number>
}

/** Builds the index of a list of records, which are named by their places in it. */
export function createSearchIndex(records: readonly SearchFields[]): SearchIndex {
  const postings = readPostings(records)
  const sorted = [...postings.keys()].sort()
  const near = nearFinder([...new Set([...sorted, ...SYNONYM_WORDS])])
  const reader = { records, postings, sorted, near }
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
  const { records } = reader
  const concepts = readConcepts(query)
  if (concepts.length === 0) return records.map((_, record) => record)
  const matches = new Map<number, Match>()
  let telling = 0
  for (const concept of concepts.flatMap((one) => inRecordWords(reader, one))) {
    const worths = worthsOf(reader, concept)
    if (worths.size === 0) continue
    const most = Math.max(...worths.values())
    const alike = worths.values().reduce((sum, worth) => sum + (worth / most) ** 2, 0)
    const rarity = Math.log(1 + records.length / alike) * concept.weight
    telling += rarity
    for (const [record, worth] of worths) {
      const match = matches.get(record) ?? { record, worth: 0, telling: 0 }
      matches.set(record, match)
      match.worth += worth * rarity
      match.telling += (worth / most) * rarity
    }
  }
  return inOrder(records, [...matches.values()], telling)
}

/** Match and grade decide; an unknown grade moves nothing. */
function inOrder(records: readonly SearchFields[], matches: Match[], telling: number): number[] {
  const valued = matches.map(({ record, worth, telling: own }) => {
    const { score, ended } = records[record] as SearchFields
    const match = (worth * own) / telling
    const byGrade = score === null ? 1 : 1 + GRADE_SHARE * (score / 100 - 0.5)
    return { record, match, worth: match * byGrade, ended: Number(ended) }
  })
  const least = LEAST_SHARE * valued.reduce((most, { match }) => Math.max(most, match), 0)
  return valued
    .filter(({ match }) => match >= least)
    .sort((a, b) => a.ended - b.ended || b.worth - a.worth || a.record - b.record)
    .map(({ record }) => record)
}

/** What each record has of a concept: the best of its terms counts. */
function worthsOf({ postings }: Reader, { terms }: Concept): Map<number, number> {
  const worths = new Map<number, number>()
  for (const [term, weight] of terms) {
    for (const posting of postings.get(term) ?? []) {
      const record = Math.floor(posting)
      worths.set(record, Math.max(worths.get(record) ?? 0, (posting - record) * weight))
    }
  }
  return worths
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
