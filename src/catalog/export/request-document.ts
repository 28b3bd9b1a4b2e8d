import type { Coding } from '../feeds/negotiate.ts'
import type { Serve } from '../feeds/serve.ts'

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
