import type { Read } from '../../platform/db/database.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { listGroups } from '../groups/model/store.ts'
import type { Follow } from '../questions/end-question.ts'
import { type AskDraft, isPermission } from '../questions/model/question.ts'
import { putWatched } from '../questions/model/watched-store.ts'
import { isGroupId } from '../votes/model/requirement.ts'
import { judgedBy, type Watched } from '../votes/model/watched.ts'
import { readVoters } from '../votes/read-voters.ts'
import { type EnforcedRule, isAbout, type Rule, titleOfRule } from './model/rule.ts'
import { approverIds } from './model/rule-approve.ts'
import { ruleFactsOf } from './model/rule-facts.ts'
import { bySpecificity, mostSpecific, ruleIndex } from './model/rule-index.ts'
import {
  type ApproverRule,
  approverRulesFor,
  merged,
  namesOf,
  readOwner,
  readTokenFacts,
  type TokenFacts,
} from './requirement.ts'

type Rules = {
  /** Those that act. */
  rules: readonly EnforcedRule[]
  /** Those that only watch, as they would be if they acted. */
  watching: readonly EnforcedRule[]
}

/**
 * Returns what each rule that only watches would have asked for of a call, if it alone acted beside
 * the others; undefined where none would. It is read apart from what decides, which it never reaches.
 */
export async function readWatched(
  read: Read,
  { rules, watching, token }: Rules & { token: TokenFacts },
  draft: AskDraft,
): Promise<Watched[] | undefined> {
  if (draft.test || watching.length === 0) return undefined
  const facts = { ...token, ...(await readTokenFacts(read, watching, draft)) }
  const { approving, denying } = rulesThatWould({ rules, watching }, draft, facts)
  if (approving.length + denying.length === 0) return undefined
  return [
    ...(await readAsks(read, approving, draft)),
    ...denying.map((rule) => ({ rule: nameOf(rule) })),
  ]
}

/** The watching rules that would ask certain people about a call, and those that would decline it. */
export function rulesThatWould(
  { rules, watching }: Rules,
  draft: AskDraft,
  token: TokenFacts,
): { approving: ApproverRule[]; denying: EnforcedRule[] } {
  const approving = approverRulesFor(watching, draft, token)
  // Only approvals are declined by a rule.
  if (draft.type !== 'confirm' || !isPermission(draft)) return { approving, denying: [] }
  const facts = { ...ruleFactsOf(draft), ...token }
  const best = mostSpecific(rules, facts)
  const denying = ruleIndex(watching)
    .routing(facts.toolName)
    .filter(
      (rule) =>
        rule.decision === 'deny' &&
        isAbout(rule, facts) &&
        (!best || bySpecificity([best, rule])[0] === rule),
    )
  return { approving, denying }
}

async function readAsks(
  read: Read,
  rules: readonly ApproverRule[],
  { workspaceId, tokenId }: AskDraft,
): Promise<Watched[]> {
  if (rules.length === 0) return []
  const owner = await readOwner(read, tokenId)
  const ids = new Set(rules.flatMap(({ approve }) => approverIds(approve)))
  const people = [...ids].filter((id): id is PersonId => !isGroupId(id))
  const voters = people.length > 0 ? await readVoters(read, workspaceId, people) : new Map()
  const nameOfId = namesOf(await listGroups(read, workspaceId), voters)
  return rules.map((rule) => {
    const { places, excluded } = merged([rule], nameOfId, owner)
    const isUnknown = owner === undefined && rule.approve.asker !== 'counts'
    const approve = { places, excluded, ...(isUnknown && { ownerUnknown: true as const }) }
    return { rule: nameOf(rule), approve }
  })
}

function nameOf(rule: Rule): Watched['rule'] {
  return { id: rule.id, words: titleOfRule(rule) }
}

/**
 * Notes at the end of a watched question whether whoever answered could have agreed by the rules that
 * watched, as groups are at that moment. A button or a link proves nobody, and where votes decided, it
 * was not one person.
 */
export const judgeWatched: Follow = async (tx, { question }) => {
  const { watched, answeredBy, answeredOn, requirement, status } = question
  const isProven = answeredOn === undefined || answeredOn.kind === 'chat'
  if (!watched || status !== 'answered' || !answeredBy || !isProven || requirement) return undefined
  const voter = (await readVoters(tx, question.workspaceId, [answeredBy])).get(answeredBy)
  if (voter) await putWatched(tx, question.id, judgedBy(watched, voter))
  return undefined
}
