import type { PersonId } from '../../accounts/model/ids.ts'
import type { Arrival } from './arrival.ts'

/**
 * `sign_in`: whoever comes back is signed in. `again`: the same, if they proved themselves to the
 * provider since it began. `link`: a signed-in person connects their account.
 * `confirm`: the account is known, and the person it may belong to has to prove themselves.
 */
export type FlowPurpose = 'sign_in' | 'again' | 'link' | 'confirm'

/** A sign-in that has begun. */
export type SignInFlow = {
  hash: string
  provider: string
  browserHash: string
  nonce: string
  verifier: string
  next: string
  purpose: FlowPurpose
  personId: PersonId | null
  arrival: Arrival | null
  createdAt: number
  expiresAt: number
}

/** Enough to find a password in a drawer; too short for a link that was left somewhere. */
export const FLOW_MS = 10 * 60_000
/** Each waits for its browser; more at once are a flood. */
export const FLOWS_MAX = 1_000
