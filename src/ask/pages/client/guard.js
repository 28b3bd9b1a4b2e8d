// A part that has just changed ignores taps for a moment: they were meant for what was there before.

export const GUARD_MS = 450

/** @param {Element} part */
export function guard(part) {
  part.setAttribute('inert', '')
  setTimeout(() => part.removeAttribute('inert'), GUARD_MS)
}
