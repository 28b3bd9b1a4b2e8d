import type { WorkspaceId } from '../../../platform/ids.ts'

/** A secret with which a workspace signs its callbacks. */
export type CallbackSecret = {
  id: string
  workspaceId: WorkspaceId
  /** `whsec_` and base64, as Standard Webhooks defines it. */
  secret: string
  createdAt: number
  /** When it stops signing; `FOREVER` for the current one. */
  endsAt: number
}

/** The end of the current secret: a number, so that ends can be compared and sorted. */
export const FOREVER = Number.MAX_SAFE_INTEGER

/** How long a rotated secret keeps signing: as long as an answer may take to arrive. */
export const OVERLAP_MS = 24 * 3_600_000

export const SECRET_PREFIX = 'whsec_'
// 24 to 64 bytes (Standard Webhooks, Signature scheme).
const SECRET_BYTES = 32

export function makeSecret(): string {
  return (
    SECRET_PREFIX +
    Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')
  )
}
