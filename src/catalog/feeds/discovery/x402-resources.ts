import type { DiscoveryResources, DiscoverySearch } from '../../records/x402-discovery.ts'
import type { BuiltDocument, QueryRoute } from '../built-site.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { JSON_TYPE } from '../json-document.ts'
import { x402Items } from './x402-items.ts'
import { fitsX402, readX402Query, readX402Search } from './x402-query.ts'

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
  const asked = readX402Query(query)
  const { limit, offset } = asked
  const fitting = x402Items(snapshot).filter((one) => fitsX402(asked, one))
  const items = fitting.slice(offset, offset + limit).map(({ item }) => item)
  return { x402Version: VERSION, items, pagination: { limit, offset, total: fitting.length } }
}

function search(snapshot: CatalogSnapshot, query: URLSearchParams): DiscoverySearch {
  const asked = readX402Search(query)
  const fitting = x402Items(snapshot).filter((one) => fitsX402(asked, one))
  const found = fitting.slice(0, asked.limit).map(({ item }) => item)
  const partialResults = found.length < fitting.length
  return { x402Version: VERSION, resources: found, partialResults, pagination: null }
}

function asJson(value: unknown) {
  return { type: JSON_TYPE, body: `${JSON.stringify(value)}\n` }
}
