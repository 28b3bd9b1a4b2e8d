import type { Failure } from '../failure.ts'

/** JSON-RPC error codes that this server sends (MCP 2026-07-28, basic: Error codes). */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** The error in place of a result, with the HTTP status of a reply that is not a stream. */
export type Refusal = {
  kind: 'refusal'
  status: number
  code: number
  message: string
  data?: object
  headers?: Record<string, string>
}

export function refusal(status: number, code: number, message: string, data?: object): Refusal {
  return { kind: 'refusal', status, code, message, ...(data ? { data } : {}) }
}

/** A refusal thrown where only a result can be returned. */
export class Refused extends Error {
  readonly refusal: Refusal
  // The SDK reads these two when it answers for us.
  readonly code: number
  readonly data: object | undefined

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'Refused'
    this.refusal = refusal
    this.code = refusal.code
    this.data = refusal.data
  }
}

// Failures for which JSON-RPC has a code. All others use their HTTP status, which is outside the
// range that JSON-RPC and MCP reserve.
const RPC_CODES: Readonly<Record<string, number>> = {
  invalid_input: RPC.invalidParams,
  malformed: RPC.parseError,
  internal: RPC.internal,
}

/** A failure outside a tool's own work, as a refusal. */
export function refusalOf(failure: Failure): Refusal {
  const { code, status, message, retryAfter } = failure
  return {
    ...refusal(status, RPC_CODES[code] ?? status, message, { code }),
    headers: {
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="Beckon"' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
    },
  }
}

/** A bug, as shown to the caller. */
export const INTERNAL = refusal(
  200,
  RPC.internal,
  'Something went wrong on the server; its log says what. Try again, and tell its owner if it goes on.',
  { code: 'internal' },
)
