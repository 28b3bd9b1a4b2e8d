import type { Serve } from '../feeds/serve.ts'
import type { Tombstone } from '../records/change.ts'

/** The catalog's answer at an address. */
export type ServedDocument = {
  path: string
  status: number
  type: string
  headers: Headers
  bytes: Uint8Array
}

/** Requests a whole document as a client would, without a network. */
export async function requestDocument(answer: Serve, path: string): Promise<ServedDocument> {
  const headers = { 'accept-encoding': 'identity, *;q=0' }
  const response = await answer(new Request(`http://localhost${path}`, { headers }))
  if (!response) throw new Error(`${path} is not an address of the catalog`)
  return {
    path,
    status: response.status,
    headers: response.headers,
    type: response.headers.get('content-type') ?? '',
    bytes: await response.bytes(),
  }
}

const OF_A_TOOL: ReadonlyArray<(slug: string) => string> = [
  (slug) => `/api/v1/tools/${slug}.json`,
  (slug) => `/tools/${slug}`,
  (slug) => `/tools/${slug}.atom`,
  (slug) => `/tools/${slug}.json`,
  (slug) => `/tools/${slug}.md`,
  (slug) => `/tools/${slug}.min.md`,
]

/** Every address of tools that were removed or renamed. */
export function deadAddresses(removed: readonly Tombstone[]): string[] {
  return removed.flatMap(({ slug }) => OF_A_TOOL.map((address) => address(slug)))
}
