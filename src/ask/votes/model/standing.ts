import type { PersonId } from '../../accounts/model/ids.ts'
import { isGroupId, type Named, type Places, type Requirement } from './requirement.ts'
import type { Vote } from './vote.ts'

/** A member of the workspace, and the groups they are in now. */
export type Voter = { id: PersonId; name: string; groups: ReadonlySet<string> }

export type Voters = ReadonlyMap<PersonId, Voter>

/** What the votes amount to. `counted`: whose yes fills a place. */
export type Standing =
  | { is: 'yes'; counted: PersonId[] }
  | { is: 'no'; by: PersonId }
  | { is: 'open'; counted: PersonId[]; missing: Places[] }

/**
 * Returns what these votes amount to now: votes of people who have left the workspace, or the
 * groups, count no more. One person fills one place, so that two engineers and one manager are
 * three people, even if one is both.
 */
export function standing(
  requirement: Requirement,
  votes: ReadonlyArray<Pick<Vote, 'personId' | 'value'>>,
  voters: Voters,
): Standing {
  const votesOf = (value: string) =>
    votes.flatMap(({ personId, value: is }) => {
      const voter = is === value ? voters.get(personId) : undefined
      return voter ? [voter] : []
    })
  const no = votesOf('no').find((voter) => mayDecline(requirement, voter))
  if (no) return { is: 'no', by: no.id }
  const places = requirement.places.flatMap(({ from, need }) => Array<Named[]>(need).fill(from))
  const approvals = votesOf('yes').filter((voter) => mayApprove(requirement, voter))
  const taken = fill(places, approvals)
  const holders = new Set(taken.values())
  const counted = approvals.filter((voter) => holders.has(voter)).map(({ id }) => id)
  if (taken.size === places.length) return { is: 'yes', counted }
  return { is: 'open', counted, missing: missingOf(requirement.places, taken) }
}

/**
 * Gives each place to a voter, as many as possible (Kuhn's algorithm). Whoever has a place keeps
 * one, so that earlier votes count before later ones.
 */
function fill(places: ReadonlyArray<readonly Named[]>, voters: readonly Voter[]) {
  const taken = new Map<number, Voter>()
  const place = (voter: Voter, tried: Set<number>): boolean => {
    for (const [at, from] of places.entries()) {
      if (tried.has(at) || !isAmong(from, voter)) continue
      tried.add(at)
      const holder = taken.get(at)
      if (holder && !place(holder, tried)) continue
      taken.set(at, voter)
      return true
    }
    return false
  }
  for (const voter of voters) place(voter, new Set())
  return taken
}

function missingOf(places: readonly Places[], taken: ReadonlyMap<number, Voter>): Places[] {
  let at = 0
  return places.flatMap(({ from, need }) => {
    const open = Array.from({ length: need }, () => taken.has(at++)).filter((is) => !is).length
    return open > 0 ? [{ from, need: open }] : []
  })
}

/** Returns true if a yes of this person can fill a place. */
export function mayApprove(
  { places, excluded }: Pick<Requirement, 'places' | 'excluded'>,
  voter: Voter,
): boolean {
  return !excluded.includes(voter.id) && places.some(({ from }) => isAmong(from, voter))
}

/** Returns true if a no of this person ends the question. */
export function mayDecline(requirement: Requirement, voter: Voter): boolean {
  const { veto, excluded } = requirement
  if (excluded.includes(voter.id)) return false
  return veto === 'any' ? mayApprove(requirement, voter) : isAmong(veto, voter)
}

/** Returns true if enough different people could agree, if all of them were asked now. */
export function canBeDecided(requirement: Requirement, voters: Voters): boolean {
  const all = [...voters.keys()].map((personId) => ({ personId, value: 'yes' }))
  return standing({ ...requirement, veto: [] }, all, voters).is === 'yes'
}

/** Returns the people who may approve or decline. */
export function decidersOf(requirement: Requirement, voters: Voters): PersonId[] {
  const deciders = [...voters.values()].filter((voter) => mayDecide(requirement, voter))
  return deciders.map(({ id }) => id)
}

/** Returns true if a vote of this person can count. */
export function mayDecide(requirement: Requirement, voter: Voter): boolean {
  return mayApprove(requirement, voter) || mayDecline(requirement, voter)
}

function isAmong(from: readonly Named[], voter: Voter): boolean {
  return from.some(({ id }) => isNamed(id, voter))
}

/** Returns true for the person with this id, and for somebody in the group with this id. */
export function isNamed(id: string, { id: personId, groups }: Voter): boolean {
  return isGroupId(id) ? groups.has(id) : id === personId
}
