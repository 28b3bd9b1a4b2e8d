import { type Refusal, RPC, refusal } from './errors.ts'

export type RequestId = string | number
export type Fields = Record<string, unknown>

/** One JSON-RPC request; `paramsFit` is false if `params` is not an object. */
export type RpcRequest = {
  kind: 'request'
  id: RequestId
  method: string
  params: Fields
  paramsFit: boolean
}

/** The content of the body of one POST. */
export type McpMessage = RpcRequest | { kind: 'notification' } | { kind: 'response' }

/** The body as one message; a refusal for anything else (MCP has no batches). */
export function readMessage(body: unknown): McpMessage | Refusal {
  if (!isFields(body))
    return notOne('The body must be one JSON-RPC object; batches are not accepted.')
  const { jsonrpc, id, method, params } = body
  if (jsonrpc !== '2.0') return notOne('The message must say "jsonrpc": "2.0".')
  if (method === undefined && id !== undefined && ('result' in body || 'error' in body)) {
    return { kind: 'response' }
  }
  if (typeof method !== 'string') return notOne('The message must name its method.')
  if (id === undefined) return { kind: 'notification' }
  if (!isRequestId(id)) return notOne('The id must be a string or a whole number.')
  const paramsFit = params === undefined || isFields(params)
  return { kind: 'request', id, method, params: isFields(params) ? params : {}, paramsFit }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function metaOf({ params }: RpcRequest): Fields {
  return isFields(params._meta) ? params._meta : {}
}

/** `result`, a JSON text, as the reply to `id`. */
export function replyText(id: RequestId, result: string): string {
  return `${headOf(id)}${result}}`
}

/**
 * As `replyText`, for a long result that is sent repeatedly: its bytes are made once, where a text
 * would be joined, checked and copied for each reply (a list of tools has 25 KB).
 */
export function readyReply(result: string): (id: RequestId) => Blob {
  const body = new Blob([result, '}'])
  return (id) => new Blob([headOf(id), body])
}

function headOf(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
}

/** A refusal as the reply to `id`; without an id if the message was too broken to have one. */
export function errorText(id: RequestId | undefined, { code, message, data }: Refusal): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data ? { data } : {}) },
  })
}

// An id beyond a double's exact integers could not be returned unchanged.
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function notOne(message: string): Refusal {
  return refusal(400, RPC.invalidRequest, message)
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** A reply of one JSON body; `message` is JSON already. */
export function jsonReply(message: string | Blob, status = 200, headers: object = {}): Response {
  return new Response(message, { status, headers: { ...JSON_HEADERS, ...headers } })
}

/** A refusal as the reply to `id`; without an id if the message was too broken to have one. */
export function refusalReply(id: RequestId | undefined, why: Refusal): Response {
  return jsonReply(errorText(id, why), why.status, why.headers)
}
