import type { PersonId } from '../accounts/model/ids.ts'
import type { ListedPerson } from '../accounts/model/person-store.ts'
import type { Requirement } from '../votes/model/requirement.ts'
import { decidersOf, isNamed, type Voters } from '../votes/model/standing.ts'
import { readTarget, type Target } from '../votes/model/target.ts'
import { LIFE_MS, type RuleApprove } from './model/rule-approve.ts'
import { merged } from './requirement.ts'

/** The people of a workspace; without `owners` nobody knows who they are. */
type People = { voters: Voters; owners: ReadonlySet<PersonId> | undefined }

/** The owners among these people, without those who are switched off. */
export function ownersAmong(
  people: ReadonlyArray<Pick<ListedPerson, 'id' | 'role' | 'offAt'>>,
): ReadonlySet<PersonId> {
  const owners = people.filter(({ role, offAt }) => role === 'owner' && offAt === null)
  return new Set(owners.map(({ id }) => id))
}

/** A step of an escalation that would not do what it seems to. `at`: its place, from 0. */
export type StepFinding = { at: number; level: 'error' | 'warning'; must: string }

/**
 * Returns what is wrong with the steps of a rule as groups are now: those that reach people of whom
 * nobody may decide, unless they are meant to inform, those that reach nobody, and those that come
 * when the question is over.
 */
export function stepFindings(approve: RuleApprove, people: People): StepFinding[] {
  const { escalate = [], lifeMs = LIFE_MS } = approve
  const deciders = new Set(decidersOf(requirementOf(approve), people.voters))
  return escalate.flatMap(({ afterMs, tell, inform }, at): StepFinding[] => {
    if (afterMs >= lifeMs) {
      return [{ at, level: 'warning', must: 'comes when the question is over, so it is dropped' }]
    }
    const reach = reachOf(tell, people)
    // Whoever is on call, or reads a channel, may be one of them.
    if (reach === undefined) return []
    if (reach.length === 0)
      return [{ at, level: 'warning', must: 'tells nobody, as groups are now' }]
    if (inform || reach.some((id) => deciders.has(id))) return []
    const must =
      'tells nobody who may decide; name somebody who may, or say inform: true if it is for their information'
    return [{ at, level: 'error', must }]
  })
}

function requirementOf(approve: RuleApprove): Requirement {
  const rule = { id: 'rule_', workspaceId: 'ws_', match: {}, set: {}, approve } as const
  const parts = { ...rule, decision: undefined, createdAt: 0 }
  return merged([parts], (id) => ({ id, name: id }), undefined)
}

/** The people that these targets stand for; undefined if that is not known before. */
function reachOf(targets: readonly Target[], { voters, owners }: People): PersonId[] | undefined {
  const people: PersonId[] = []
  for (const target of targets) {
    const one = readTarget(target)
    if (one.is === 'oncall' || one.is === 'channel') return undefined
    if (one.is === 'owners') {
      if (!owners) return undefined
      people.push(...owners)
      continue
    }
    for (const voter of voters.values()) if (isNamed(one.id, voter)) people.push(voter.id)
  }
  return people
}
