/** When a question was asked, and when the first call about it stops waiting. */
export type AskedWait = { createdAt: number; waitEndsAt: number }

/** The last proof that somebody is at a terminal, and how long it counts. */
export type Proof = { activeAt: number; presenceMs: number }

// No terminal keeps a phone silent for longer than this after the question.
const HOLD_MAX_MS = 60_000
// Due messages are checked every second: a delay ends early enough that the phone still rings in
// time.
const LOOK_MS = 1_000

/**
 * Until when a terminal keeps the phones silent about a question: `presenceMs` after the proof, but
 * at most a minute after the question and half of its wait. `createdAt` if it does not delay them
 * at all. Milliseconds since 1970.
 */
export function heldUntil({ createdAt, waitEndsAt }: AskedWait, proof: Proof): number {
  const halfMs = Math.floor((waitEndsAt - createdAt) / 2)
  const latest = createdAt + Math.min(HOLD_MAX_MS, halfMs) - LOOK_MS
  return Math.max(createdAt, Math.min(proof.activeAt + proof.presenceMs, latest))
}
