import { Failure } from '../../../platform/failure.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import {
  DISCOVERY_LIMIT,
  DISCOVERY_PARAMETERS,
  DISCOVERY_SEARCH_PARAMETERS,
  type DiscoveryResources,
  type DiscoverySearch,
} from '../../records/x402-discovery.ts'
import { foldText, searchWords } from '../../search/match.ts'
import type { BuiltDocument, QueryRoute } from '../built-site.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { INVALID_PARAMETER } from '../failures.ts'
import { JSON_TYPE } from '../json-document.ts'
import { type X402Item, x402Items } from './x402-items.ts'

export const RESOURCES_PATH = '/discovery/resources'
export const SEARCH_PATH = '/discovery/search'

// The version of the list; each item names that of its address.
const VERSION = 2

/**
 * Paid addresses in the shape of the x402 discovery API (x402 specification, 8), so that its clients
 * list and search this catalog as they do a facilitator's.
 */
export const X402_ASKS: readonly QueryRoute[] = [
  { path: RESOURCES_PATH, reply: (snapshot, query) => asJson(resources(snapshot, query)) },
  { path: SEARCH_PATH, reply: (snapshot, query) => asJson(search(snapshot, query)) },
]

/** The answer without parameters: the first page of everything. */
export function* buildX402Resources(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  yield { path: RESOURCES_PATH, ...asJson(resources(snapshot, new URLSearchParams())) }
  yield { path: SEARCH_PATH, ...asJson(search(snapshot, new URLSearchParams())) }
}

function resources(snapshot: CatalogSnapshot, query: URLSearchParams): DiscoveryResources {
  const parameters = readX402Query(query)
  const { limit, offset } = parameters
  const fitting = x402Items(snapshot).filter((one) => fitsX402(parameters, one))
  const items = fitting.slice(offset, offset + limit).map(({ item }) => item)
  return { x402Version: VERSION, items, pagination: { limit, offset, total: fitting.length } }
}

function search(snapshot: CatalogSnapshot, query: URLSearchParams): DiscoverySearch {
  const parameters = readX402Search(query)
  const fitting = x402Items(snapshot).filter((one) => fitsX402(parameters, one))
  const items = fitting.slice(0, parameters.limit).map(({ item }) => item)
  const partialResults = items.length < fitting.length
  return { x402Version: VERSION, resources: items, partialResults, pagination: null }
}

function asJson(value: unknown) {
  return { type: JSON_TYPE, body: `${JSON.stringify(value)}\n` }
}

type X402Query = {
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
  const values = new Map<string, string>()
  for (const [name, value] of query) {
    if (!allowed.includes(name)) throw unknown(name, allowed)
    if (values.has(name)) throw invalid(name, 'must be given once')
    if (value.length > VALUE_MOST) throw invalid(name, `must have at most ${VALUE_MOST} characters`)
    values.set(name, value)
  }
  const limit = whole(values.get('limit'), 'limit', 1) ?? DISCOVERY_LIMIT.default
  return {
    filters: new Map(
      [...values].flatMap(([name, value]) =>
        OTHERS.has(name) || value === '' ? [] : [[name, foldText(value)] as const],
      ),
    ),
    words: searchWords(values.get('query') ?? ''),
    // Clients ask for a thousand, and continue if they get fewer.
    limit: Math.min(limit, DISCOVERY_LIMIT.most),
    offset: whole(values.get('offset'), 'offset', 0) ?? 0,
  }
}

function whole(text: string | undefined, name: string, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least) return value
  throw invalid(name, `must be a whole number from ${least} on`)
}

function unknown(name: string, allowed: readonly string[]): Failure {
  const parameter = cutText(cleanLine(name), 64)
  return new Failure(
    INVALID_PARAMETER,
    `There is no parameter "${parameter}"; this list takes ${allowed.join(', ')}.`,
    { parameter, allowed },
  )
}

function invalid(parameter: string, must: string): Failure {
  return new Failure(INVALID_PARAMETER, `The parameter ${parameter} ${must}.`, {
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

function fitsX402({ filters, words }: X402Query, one: X402Item): boolean {
  for (const [name, value] of filters) if (!FITS[name]?.(one, value)) return false
  return words.every((word) => one.text.includes(word))
}
