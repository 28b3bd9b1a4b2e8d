import { preflight, sendDocument } from '../feeds/answer.ts'
import { documentOf } from '../feeds/document.ts'
import { createDocumentCache } from '../feeds/document-cache.ts'

/**
 * Sends a description (`/openapi.json`) as feeds are sent: compressed, with an `ETag` for each
 * coding, to pages of other sites too. Throws `not_acceptable` as they do.
 */
export function descriptionSender(body: string): (request: Request) => Promise<Response> {
  const document = documentOf({ type: 'application/json', body }, createDocumentCache(0))
  return async (request) => {
    if (request.method === 'OPTIONS') return preflight()
    // The router answers HEAD with the headers of a GET, and counts the bytes of its body.
    const getRequest = request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request
    return await sendDocument(document, getRequest, {})
  }
}
