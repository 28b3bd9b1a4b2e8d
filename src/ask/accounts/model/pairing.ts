import { randomText } from '../../../platform/ids.ts'
import type { PairingId, PersonId, WorkspaceId } from './ids.ts'

/**
 * `phone`: the code that is scanned. `app`: the code that follows it, for the app on the home
 * screen.
 */
export type PairingStep = 'phone' | 'app'

/** A code of a pairing as it is stored. */
export type PairingCode = {
  hash: string
  pairingId: PairingId
  workspaceId: WorkspaceId
  personId: PersonId
  step: PairingStep
  fingerprint: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
  device: string | null
  signInId: string | null
  cancelledAt: number | null
}

// Time to find the phone and scan; too short for a photograph of the screen to be of use later.
export const PAIRING_MS = 5 * 60_000

// 130 random bits cannot be guessed, and keep the QR code coarse.
const CODE_CHARS = 26
const CODE = /^[0-9a-hjkmnp-tv-z]{26}$/

export function makePairingCode(): string {
  return randomText(CODE_CHARS)
}

export function looksLikePairingCode(text: string): boolean {
  return CODE.test(text)
}

/** Six digits: enough to tell two screens apart, and quick to compare. */
export function makeFingerprint(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return String(number % 1_000_000).padStart(6, '0')
}

/** Returns true if a code can still be used at `now`. */
export function isUsable(code: PairingCode, now: number): boolean {
  return code.usedAt === null && code.cancelledAt === null && code.expiresAt > now
}
