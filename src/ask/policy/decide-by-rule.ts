import { isAbsolute, relative } from 'node:path/posix'
import type { AskDraft, ByRule } from '../questions/model/question.ts'
import type { InForce } from '../scopes/model/store.ts'
import type { Requirement } from '../votes/model/requirement.ts'
import type { AskInput } from '../wire/ask-fields.ts'
import { judgeOf } from '../wire/matcher/judge.ts'
import { protect } from '../wire/matcher/protected-paths.ts'
import { type EnforcedRule, isAbout, nameOfRule } from './model/rule.ts'
import { decidedByRule } from './model/rule-decision.ts'
import { ruleFactsOf } from './model/rule-facts.ts'
import { mostSpecific } from './model/rule-index.ts'
import type { PlanDeps } from './plan-question.ts'
import { readApprovers, readTokenFacts, type TokenFacts } from './requirement.ts'

export type Decided = { decision: 'allow' | 'deny'; byRule: ByRule }

/** An approval as it came in, and the question that it would become. */
export type Approval = {
  input: AskInput
  asked: AskDraft
  cwd: string | undefined
  /** No rule may allow it. */
  personOnly?: boolean | undefined
  /** Its client has not asked: only a rule that holds all the same may decide it or ask people. */
  onlyByRule?: boolean | undefined
  /** What an owner confirmed beside the rules: it allows the call where no rule decides. */
  confirmed?: ByRule | undefined
}

/**
 * Returns the decision of a rule of the workspace about an approval; undefined if a person is to be
 * asked. No rule allows what a scope in force holds off limits, nor a command of several lines.
 */
export async function decideByRule(
  { db, policies }: PlanDeps,
  approval: Approval,
  inForce: InForce | undefined,
): Promise<Decided | undefined> {
  const { asked: draft } = approval
  if (draft.type !== 'confirm') return undefined
  const { rules } = await policies.of(draft.workspaceId)
  const token = await readTokenFacts(db.read, rules, draft)
  const decided = ruleDecision(rules, draft, token) ?? allowedByOwner(rules, approval)
  if (!decided) return undefined
  const { decision, byRule } = decided
  if (decision === 'deny') return decided
  if (await readApprovers(db.read, rules, draft, token)) return undefined
  return mayGoUnasked(approval, inForce) ? { decision, byRule } : undefined
}

function ruleDecision(
  rules: readonly EnforcedRule[],
  draft: AskDraft,
  token: TokenFacts,
): Decided | undefined {
  const decided = decidedByRule(rules, draft, token)
  if (!decided) return undefined
  const { decision, rule } = decided
  return { decision, byRule: { id: rule.id, words: nameOfRule(rule) } }
}

/** Any rule that decides about the call, even to ask, comes before what an owner confirmed. */
function allowedByOwner(
  rules: readonly EnforcedRule[],
  { asked: draft, confirmed }: Approval,
): Decided | undefined {
  const { toolName } = draft.detail
  if (!confirmed || toolName === undefined || rulesDecide(rules, draft)) return undefined
  const { workspaceId, createdAt } = draft
  const own = { id: 'rule_', workspaceId, match: { toolName }, set: {}, createdAt } as const
  const decided = decidedByRule([{ ...own, decision: 'allow' }], draft)
  return decided && { decision: 'allow', byRule: confirmed }
}

function rulesDecide(rules: readonly EnforcedRule[], draft: AskDraft): boolean {
  const facts = ruleFactsOf(draft)
  return rules.some((rule) => rule.decision !== undefined && isAbout(rule, facts))
}

/**
 * Returns true if the lines of the approval and the scope in force allow a decision without a
 * person.
 */
export function mayGoUnasked(approval: Approval, inForce: InForce | undefined): boolean {
  return !approval.personOnly && !goesOn(approval) && !mayBeOffLimits(approval, inForce)
}

/**
 * Returns true if the rule that matches best requires a person every time, or a rule says which
 * people have to agree.
 */
export async function asksAlways({ db, policies }: PlanDeps, draft: AskDraft): Promise<boolean> {
  const { rules } = await policies.of(draft.workspaceId)
  const facts = { ...ruleFactsOf(draft), ...(await readTokenFacts(db.read, rules, draft)) }
  if (mostSpecific(rules, facts)?.decision === 'ask') return true
  return await needsDeciders({ db, policies }, draft)
}

/** Returns true if a rule says which people have to agree. */
export async function needsDeciders(deps: PlanDeps, draft: AskDraft): Promise<boolean> {
  return (await readRequirement(deps, draft)) !== undefined
}

/** Who has to agree to a call by the rules as they are now; undefined where no rule says so. */
export async function readRequirement(
  { db, policies }: PlanDeps,
  draft: AskDraft,
): Promise<Requirement | undefined> {
  const { rules } = await policies.of(draft.workspaceId)
  return (await readApprovers(db.read, rules, draft))?.requirement
}

/** Returns true if a rule declines the call or says who has to agree, whether or not its client asks. */
export async function isRuled({ db, policies }: PlanDeps, draft: AskDraft): Promise<boolean> {
  const { rules } = await policies.of(draft.workspaceId)
  const token = await readTokenFacts(db.read, rules, draft)
  if (draft.type === 'confirm' && decidedByRule(rules, draft, token)?.decision === 'deny')
    return true
  return (await readApprovers(db.read, rules, draft, token)) !== undefined
}

// Cleaning turns line breaks into spaces, but in a shell each of them ends a command.
const LINE_BREAK = /[\n\r\u2028\u2029]/

function goesOn({ input: { toolTarget = '', action = '' } }: Approval): boolean {
  return LINE_BREAK.test(toolTarget) || LINE_BREAK.test(action)
}

/** Returns true if the file, or any word that may name a file, may be off limits. */
function mayBeOffLimits(approval: Approval, inForce: InForce | undefined): boolean {
  if (!inForce) return false
  const { allowedPaths, offLimitsPaths } = inForce.contract
  const boundary = protect({ allowedPaths, offLimitsPaths, widened: [] })
  const roots = approval.cwd !== undefined && isAbsolute(approval.cwd) ? [approval.cwd] : []
  const judge = judgeOf(boundary, { roots })
  const paths = pathsIn(approval, roots)
  // Too many to check, so a person decides.
  if (paths.size > PATHS_MAX) return true
  return [...paths].some((path) => judge([path], 'write').is === 'off_limits')
}

// More names than in any command that somebody reads.
const PATHS_MAX = 1_000

function pathsIn({ asked: draft }: Approval, roots: string[]): Set<string> {
  const { toolPath, toolTarget = '', action = '', actionBody = '' } = draft.detail
  const files = toolPath === undefined ? [] : [toolPath]
  // For a call with a file, the words are its contents.
  const command = files.length > 0 ? toolTarget : `${toolTarget} ${action} ${actionBody}`
  const paths = [...files, ...command.split(/[\s'"=:,]+/)].filter(Boolean)
  const allPaths = paths.flatMap((path) => [path, ...namesOf(path, roots)])
  return new Set(allPaths)
}

/**
 * An absolute path in every form the scope may name it: below the root, or (outside a root) any end
 * of it.
 */
function namesOf(path: string, roots: string[]): string[] {
  if (!path.startsWith('/')) return []
  const root = roots.find((one) => path.startsWith(one === '/' ? one : `${one}/`))
  if (root !== undefined) return [relative(root, path)]
  const segments = path.split('/').filter(Boolean)
  return segments.map((_, at) => segments.slice(at).join('/'))
}
