import type { Requirement } from './requirement.ts'
import { mayApprove, type Voter } from './standing.ts'

/**
 * What a rule that only watches would have asked for of a question: a copy as the rule was then, so
 * that a later change of it counts from then on.
 */
export type Watched = {
  /** Its name in the policy file, or what it is for. */
  rule: { id: string; words: string }
  /** Who would have had to agree; undefined: it would have declined the call. */
  approve?: Pick<Requirement, 'places' | 'excluded'>
  /** Whether whoever answered could have agreed by it; undefined: not known. */
  byDecider?: boolean
}

/** The same, knowing who has answered. */
export function judgedBy(watched: readonly Watched[], voter: Voter): Watched[] {
  return watched.map((one) =>
    one.approve ? { ...one, byDecider: mayApprove(one.approve, voter) } : one,
  )
}
