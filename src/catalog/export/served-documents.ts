import {
  BLOB_PREFIX,
  KEYS_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import type { Coding } from '../feeds/negotiate.ts'
import type { Serve } from '../feeds/serve.ts'
import type { Tombstone } from '../records/change.ts'
import type { Manifest } from '../signing/manifest.ts'

/** The catalog's answer at an address. */
export type ServedDocument = {
  path: string
  status: number
  type: string
  headers: Headers
  bytes: Uint8Array
}

/** Requests a document as a client would, without a network. */
export async function requestDocument(
  answer: Serve,
  path: string,
  coding: Coding,
): Promise<ServedDocument> {
  const headers = { 'accept-encoding': `${coding}, *;q=0` }
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

/**
 * The signed manifest with the other files that mirrors read: signature, keys, snapshot, and each
 * file under its hash.
 */
export async function* signedFiles(answer: Serve): AsyncGenerator<ServedDocument> {
  const manifest = await whole(answer, MANIFEST_PATH)
  yield manifest
  for (const path of [SIGNATURE_PATH, KEYS_PATH, SNAPSHOT_PATH]) yield await whole(answer, path)
  const { files } = JSON.parse(new TextDecoder().decode(manifest.bytes)) as Manifest
  for (const sha256 of new Set(files.map((file) => file.sha256))) {
    yield await whole(answer, `${BLOB_PREFIX}${sha256}`)
  }
}

async function whole(answer: Serve, path: string): Promise<ServedDocument> {
  const said = await requestDocument(answer, path, 'identity')
  if (said.status !== 200) throw new Error(`${path} answers ${said.status}`)
  return said
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
