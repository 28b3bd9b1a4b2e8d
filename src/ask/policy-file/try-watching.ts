import { asEnforced, isEnforced, type Rule, titleOfRule } from '../policy/model/rule.ts'
import { rulesThatWould } from '../policy/watched.ts'
import type { Question } from '../questions/model/question.ts'
import { type Outcome, outcomeOf, type TrialWorld, tokenFacts } from './outcome.ts'
import { type ChangedCalls, createTally } from './tally-calls.ts'

/** What a rule that only watches would change, if it alone acted beside those that do. */
export type WatchingTrial = {
  rule: string
  /** The calls that it would be about. */
  calls: number
  /** `before`: while it only watches; `now`: if it acted. */
  changed: ChangedCalls[]
}

/** Tries each rule that only watches on calls, beside the rules that act in this world. */
export function tryWatching(rules: readonly Rule[], world: TrialWorld) {
  const tries = rules
    .filter((rule) => !isEnforced(rule))
    .map((rule) => {
      const acting = asEnforced(rule)
      return {
        name: titleOfRule(rule),
        watching: [acting],
        world: { ...world, rules: [...world.rules, acting] },
        tally: createTally(),
      }
    })
  return {
    /** Counts a call that ends so while these rules only watch. */
    add(question: Question, now: Outcome): void {
      for (const one of tries) {
        const facts = tokenFacts(question, world)
        const of = { rules: world.rules, watching: one.watching }
        const { approving, denying } = rulesThatWould(of, question, facts)
        if (approving.length + denying.length === 0) continue
        one.tally.add(question, now, outcomeOf(question, one.world))
      }
    },
    result: (): WatchingTrial[] =>
      tries.map(({ name, tally }) => {
        const { calls, changed } = tally.result()
        return { rule: name, calls, changed }
      }),
  }
}
