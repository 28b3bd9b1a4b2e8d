import type { Coding } from '../feeds/negotiate.ts'
import type { Serve } from '../feeds/serve.ts'

/** What the catalog answers at an address. */
export type ServedDocument = {
  path: string
  status: number
  type: string
  headers: Headers
  bytes: Uint8Array
}

/** Asks the catalog as a client would, without a network between. */
export async function requestDocument(
  answer: Serve,
  path: string,
  coding: Coding,
): Promise<ServedDocument> {
  const headers = { 'accept-encoding': `${coding}, *;q=0` }
  const response = await answer(new Request(`http://localhost${path}`, { headers }))
  if (!response) throw new Error(`${path} is no address of the catalog`)
  return {
    path,
    status: response.status,
    headers: response.headers,
    type: response.headers.get('content-type') ?? '',
    bytes: await response.bytes(),
  }
}
