import type { TokenId } from '../accounts/model/ids.ts'
import { type EnforcedRule, type Rule, titleOfRule } from '../policy/model/rule.ts'
import { decidedByRule } from '../policy/model/rule-decision.ts'
import { ruleFactsOf } from '../policy/model/rule-facts.ts'
import { type PlanFacts, plan } from '../policy/plan.ts'
import {
  type Approvers,
  approverRulesFor,
  approversOf,
  type namesOf,
  type Owner,
  ownersOf,
  type TokenFacts,
} from '../policy/requirement.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import { placesWords } from '../votes/model/requirement.ts'
import type { Resolved } from './resolve-file.ts'

/** What would become of a call. `of`: who would be asked, if not anybody; `rule`: by which rule. */
export type Outcome = {
  is: 'allowed' | 'declined' | 'asked' | 'stopped' | 'told' | 'terminal'
  of?: string
  rule?: string
}

/** Policy, rules and people for which a call is tried. */
export type TrialWorld = Pick<Resolved, 'policy' | 'voters'> & {
  /** Those that act. */
  rules: readonly EnforcedRule[]
  owners: ReadonlyMap<TokenId, Owner>
  nameOf: ReturnType<typeof namesOf>
}

/** What would become of a past call, with nobody at a terminal and no pause. */
export function outcomeOf(question: Question, world: TrialWorld): Outcome {
  const { rules, voters, owners, nameOf } = world
  const owner = owners.get(question.tokenId)
  const token = tokenFacts(question, world)
  const decided = question.type === 'confirm' ? decidedByRule(rules, question, token) : undefined
  if (decided?.decision === 'deny') return { is: 'declined', rule: titleOfRule(decided.rule) }
  const about = approverRulesFor(rules, question, token)
  if (about.length > 0) {
    const approvers = approversOf(about, { nameOf, voters, owner })
    return approverOutcome(about, approvers)
  }
  if (decided) return { is: 'allowed', rule: titleOfRule(decided.rule) }
  return planned(question, token, world)
}

/** What is known of the token that asked. */
export function tokenFacts(
  { tokenId: token }: Pick<Question, 'tokenId'>,
  { owners, voters }: Pick<TrialWorld, 'owners' | 'voters'>,
): TokenFacts {
  const owner = owners.get(token)
  return { token, ...(owner !== undefined && { owners: ownersOf(owner, voters) }) }
}

function approverOutcome(about: readonly Rule[], { requirement, undecidable }: Approvers): Outcome {
  const rule = about.map(titleOfRule).join(', ')
  if (undecidable) return { is: 'stopped', rule }
  return { is: 'asked', of: placesWords(requirement.places), rule }
}

function planned(
  question: Question,
  token: Pick<PlanFacts, 'token' | 'owners'>,
  { policy, rules }: TrialWorld,
): Outcome {
  const { sessionId, targeting, test, detail, createdAt } = question
  const facts = { ...ruleFactsOf(question), sessionId, targeting, test }
  const permission = isPermission(question)
  const { deliveryMode, rule } = plan(
    { ...facts, ...token, permission, atTerminal: detail.atTerminal === true },
    { policy, rules, now: createdAt, terminalActiveAt: undefined, unanswered: 0 },
  )
  const by = rule && { rule: titleOfRule(rule) }
  if (deliveryMode === 'notify_only') return { is: 'told', ...by }
  return { is: deliveryMode === 'terminal_only' ? 'terminal' : 'asked', ...by }
}

const IS_WORDS: Record<Outcome['is'], string> = {
  allowed: 'allowed by',
  declined: 'declined by',
  asked: 'asked',
  stopped: 'stopped, as nobody may decide it, by',
  told: 'told, and decided in the terminal',
  terminal: 'left to the terminal',
}

/** `asked of 2 of engineers (prod-apply)` */
export function outcomeWords({ is, of, rule }: Outcome): string {
  const words = `${IS_WORDS[is]}${of === undefined ? '' : ` of ${of}`}`
  if (rule === undefined) return words.replace(/ by$/, '')
  return words.endsWith(' by') ? `${words} ${rule}` : `${words} (${rule})`
}
