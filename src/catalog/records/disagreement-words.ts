import type { Disagreement } from './paid-check.ts'

const ANSWERS: Readonly<Record<string, string>> = {
  free: 'it answered without a payment',
  locked: 'it asked for credentials instead of a payment',
  missing: 'there was nothing at the address',
  unreadable: 'it named no payment that a client can make',
}

type Day = (day: string) => string

/** Both sides of a difference in a sentence; `day` writes a day as its reader has days written. */
export function disagreementWords(differs: Disagreement, day: Day = (it) => it): string {
  const { field, listed, live } = differs
  const [then, now] = [day(differs.listedOn), day(differs.liveOn)]
  if (field === 'price') return `Listed at $${listed} (${then}); it asked for $${live} on ${now}.`
  if (field === 'network') return `Listed on ${listed} (${then}); it asked for ${live} on ${now}.`
  if (field === 'level') {
    return `The record says ${listed} (${then}); what the addresses answered comes to ${live} (${now}).`
  }
  const found = Object.hasOwn(ANSWERS, live) ? ANSWERS[live] : `it answered as ${live}`
  return `Listed as paid (${then}); on ${now} ${found}.`
}
