import { Failure } from '../../../platform/failure.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import {
  DISCOVERY_LIMIT,
  DISCOVERY_PARAMETERS,
  DISCOVERY_SEARCH_PARAMETERS,
} from '../../records/x402-discovery.ts'
import { foldText, searchWords } from '../listing-query.ts'
import type { X402Item } from './x402-items.ts'

export type X402Query = {
  /** Folded values by parameter; all of them must fit. */
  filters: ReadonlyMap<string, string>
  /** Folded words, all of which must occur. */
  words: readonly string[]
  limit: number
  offset: number
}

const VALUE_MOST = 200
const LISTED = Object.keys(DISCOVERY_PARAMETERS)
const SEARCHED = Object.keys(DISCOVERY_SEARCH_PARAMETERS)
const OTHERS = new Set(['limit', 'offset', 'query'])

/** Throws `invalid_parameter` that names the parameter and what it takes. */
export function readX402Query(query: URLSearchParams): X402Query {
  return readQuery(query, LISTED)
}

/** The same for the search; without words everything is found. */
export function readX402Search(query: URLSearchParams): X402Query {
  return readQuery(query, SEARCHED)
}

function readQuery(query: URLSearchParams, allowed: readonly string[]): X402Query {
  const given = new Map<string, string>()
  for (const [name, value] of query) {
    if (!allowed.includes(name)) throw unknown(name, allowed)
    if (given.has(name)) throw invalid(name, 'must be given once')
    if (value.length > VALUE_MOST) throw invalid(name, `must have at most ${VALUE_MOST} characters`)
    given.set(name, value)
  }
  const limit = whole(given.get('limit'), 'limit', 1) ?? DISCOVERY_LIMIT.default
  return {
    filters: new Map(
      [...given].flatMap(([name, value]) =>
        OTHERS.has(name) || value === '' ? [] : [[name, foldText(value)] as const],
      ),
    ),
    words: searchWords(given.get('query') ?? ''),
    // Clients ask for a thousand, and continue if they get fewer.
    limit: Math.min(limit, DISCOVERY_LIMIT.most),
    offset: whole(given.get('offset'), 'offset', 0) ?? 0,
  }
}

function whole(text: string | undefined, name: string, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least) return value
  throw invalid(name, `must be a whole number from ${least} on`)
}

function unknown(name: string, allowed: readonly string[]): Failure {
  const said = cutText(cleanLine(name), 64)
  return new Failure(
    'invalid_parameter',
    `There is no parameter "${said}"; this list takes ${allowed.join(', ')}.`,
    { parameter: said, allowed },
  )
}

function invalid(parameter: string, must: string): Failure {
  return new Failure('invalid_parameter', `The parameter ${parameter} ${must}.`, {
    parameter,
  })
}

type Fits = (one: X402Item, value: string) => boolean

const FITS: Readonly<Record<string, Fits>> = {
  type: ({ item }, value) => item.type === value,
  network: ({ networks }, value) => networks.includes(value),
  scheme: ({ item }, value) => item.accepts.some((offer) => foldText(offer.scheme) === value),
  payTo: ({ item }, value) => item.accepts.some((offer) => foldText(offer.payTo) === value),
  // Only the terms of vendors are passed on.
  extensions: () => false,
  x402Version: ({ item }, value) => String(item.x402Version) === value,
  'metadata[provider]': ({ item }, value) => foldText(item.metadata.provider) === value,
  'metadata[category]': ({ item }, value) => item.metadata.category === value,
}

export function fitsX402({ filters, words }: X402Query, one: X402Item): boolean {
  for (const [name, value] of filters) if (!FITS[name]?.(one, value)) return false
  return words.every((word) => one.text.includes(word))
}
