import type { Refusal } from './errors.ts'
import { errorText, type RequestId } from './message.ts'

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** A reply of one JSON body; `message` is JSON already. */
export function jsonReply(message: string | Blob, status = 200, headers: object = {}): Response {
  return new Response(message, { status, headers: { ...JSON_HEADERS, ...headers } })
}

/** A refusal as the reply to `id`; without an id if the message was too broken to have one. */
export function refusalReply(id: RequestId | undefined, why: Refusal): Response {
  return jsonReply(errorText(id, why), why.status, why.headers)
}
