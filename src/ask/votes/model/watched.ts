import { placesWords, type Requirement } from './requirement.ts'
import { mayApprove, type Voter } from './standing.ts'

/**
 * What a rule that only watches would have asked for of a question: a copy as the rule was then, so
 * that a later change of it counts from then on.
 */
export type Watched = {
  /** Its name in the policy file, or what it is for. */
  rule: { id: string; words: string }
  /** Who would have had to agree; undefined: it would have declined the call. */
  approve?: Pick<Requirement, 'places' | 'excluded'> & {
    /** It would have left out whoever owns the token, and nobody knows who that is. */
    ownerUnknown?: true
  }
  /** Whether whoever answered could have agreed by it; undefined: not known. */
  byDecider?: boolean
}

/** The same, knowing who has answered. */
export function judgedBy(watched: readonly Watched[], voter: Voter): Watched[] {
  return watched.map((one) => {
    if (!one.approve) return one
    const isAmong = mayApprove(one.approve, voter)
    // They may be the one who asks.
    if (isAmong && one.approve.ownerUnknown) return one
    return { ...one, byDecider: isAmong }
  })
}

/** `The rule prod-apply only watches: it would need 2 of engineers.` */
export function watchedSentence({ rule, approve, byDecider }: Watched, open: boolean): string {
  const verb = open ? 'only watches' : 'only watched'
  const would = approve ? needsWords(approve, open) : declinesWords(open)
  const judged = byDecider === false ? ' Whoever answered could not have agreed by it.' : ''
  return `The rule ${rule.words} ${verb}: it would ${would}.${judged}`
}

function needsWords({ places }: Pick<Requirement, 'places'>, open: boolean): string {
  return `${open ? 'need' : 'have needed'} ${placesWords(places)}`
}

function declinesWords(open: boolean): string {
  return open ? 'decline this' : 'have declined this'
}
