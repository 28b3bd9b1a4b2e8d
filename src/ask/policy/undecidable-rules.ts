import { canBeDecided, type Voters } from '../votes/model/standing.ts'
import { isEnforced, type Rule } from './model/rule.ts'
import { merged } from './requirement.ts'

/** An approver rule that would stop every call it is for, or those of some. */
export type Undecidable = { rule: Rule; why: string; stopsAll: boolean }

/** Returns the approver rules that too few people can satisfy, as groups are now. One that only watches stops nothing. */
export function undecidableRules(rules: readonly Rule[], voters: Voters): Undecidable[] {
  return rules.filter(isEnforced).flatMap((rule): Undecidable[] => {
    const { approve } = rule
    if (!approve) return []
    const requirement = merged([{ ...rule, approve }], (id) => ({ id, name: id }), undefined)
    if (!canBeDecided(requirement, voters)) {
      const why = 'asks for more people than there are: it stops every call it is for'
      return [{ rule, why, stopsAll: true }]
    }
    if (approve.asker === 'counts') return []
    const blocked = [...voters.values()].filter(
      ({ id }) => !canBeDecided({ ...requirement, excluded: [id] }, voters),
    )
    const [first] = blocked
    if (!first) return []
    const who = blocked.length === 1 ? first.name : `${first.name} and ${blocked.length - 1} more`
    const why = `leaves too few people when the agent of ${who} asks: it stops those calls`
    return [{ rule, why, stopsAll: false }]
  })
}
