import type { Read } from '../../platform/db/database.ts'
import { ownerOf } from '../accounts/model/agent.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { findToken } from '../accounts/model/token-store.ts'
import type { Group, GroupId } from '../groups/model/group.ts'
import { listGroups } from '../groups/model/store.ts'
import type { AskDraft } from '../questions/model/question.ts'
import {
  FRESH,
  isGroupId,
  type Named,
  type Places,
  type Requirement,
  VOTE_PLACES,
} from '../votes/model/requirement.ts'
import { canBeDecided, type Voters } from '../votes/model/standing.ts'
import { readVoters } from '../votes/read-voters.ts'
import {
  type EnforcedRule,
  isAbout,
  matches,
  matchesBesideOwner,
  nameOfRule,
  type RuleFacts,
} from './model/rule.ts'
import { approverIds, LIFE_MS, type RuleApprove, USABLE_MS } from './model/rule-approve.ts'
import { ruleFactsOf } from './model/rule-facts.ts'
import { ruleIndex } from './model/rule-index.ts'
import type { RuleMatch } from './model/rule-match.ts'

/** A rule that says who has to agree. */
export type ApproverRule = EnforcedRule & { approve: RuleApprove }

/** What the approver rules ask for of one call. */
export type Approvers = {
  requirement: Requirement
  lifeMs: number
  /** Why not enough people can agree now; undefined: they can. */
  undecidable: 'owner_unknown' | 'too_few' | undefined
}

/** What the server knows of the token that calls, where a rule asks for it. */
export type TokenFacts = Pick<RuleFacts, 'token' | 'owners'>

/**
 * Reads the owner of the token and their groups, if it depends on them whether a rule is for this
 * call. Else nothing is read.
 */
export async function readTokenFacts(
  read: Read,
  rules: readonly EnforcedRule[],
  draft: AskDraft,
): Promise<TokenFacts> {
  const { workspaceId, tokenId } = draft
  const facts = { ...ruleFactsOf(draft), token: tokenId }
  const owned = ruleIndex(rules).owned(facts.toolName)
  if (!owned.some((rule) => isAbout(rule, facts, matchesBesideOwner))) return { token: tokenId }
  return { token: tokenId, owners: await readOwners(read, workspaceId, tokenId) }
}

/** Reads whose the token is for a rule; undefined if nobody owns it. */
export async function readOwners(
  read: Read,
  workspaceId: WorkspaceId,
  tokenId: TokenId,
): Promise<string[] | undefined> {
  const owner = await readOwner(read, tokenId)
  if (owner === undefined) return undefined
  return ownersOf(owner, await readVoters(read, workspaceId, [owner]))
}

/** Whose the token is for a rule: its owner, and the groups that a person is in. */
export function ownersOf(owner: Owner, voters: Voters): string[] {
  return [owner, ...(voters.get(owner)?.groups ?? [])]
}

export async function readOwner(
  read: Read,
  tokenId: AskDraft['tokenId'],
): Promise<Owner | undefined> {
  const token = await findToken(read, tokenId)
  return token && ownerOf(token)
}

/**
 * Returns what the approver rules ask for of a call: all that match apply together, and none takes
 * away what another asks for. Undefined where none matches, and for test traffic, which reaches
 * nobody.
 */
export async function readApprovers(
  read: Read,
  rules: readonly EnforcedRule[],
  draft: AskDraft,
  token?: TokenFacts,
): Promise<Approvers | undefined> {
  if (draft.test || ruleIndex(rules).approving(draft.detail.toolName).length === 0) return undefined
  const facts = token ?? (await readTokenFacts(read, rules, draft))
  const about = approverRulesFor(rules, draft, facts)
  if (about.length === 0) return undefined
  const { workspaceId, tokenId } = draft
  const owner = await readOwner(read, tokenId)
  const voters = await readVoters(read, workspaceId)
  const nameOf = namesOf(await listGroups(read, workspaceId), voters)
  return approversOf(about, { nameOf, voters, owner })
}

/** The approver rules that are for a call. */
export function approverRulesFor(
  rules: readonly EnforcedRule[],
  draft: AskDraft,
  token: TokenFacts,
): ApproverRule[] {
  const facts = { ...ruleFactsOf(draft), ...token }
  const { approving } = ruleIndex(rules)
  return approving(facts.toolName).filter(
    (rule): rule is ApproverRule =>
      isApprover(rule) && isFor(rule, facts) && fits(rule.approve, draft),
  )
}

/** A person, or for a service a group. */
export type Owner = PersonId | GroupId

type World = { nameOf: Names; voters: Voters; owner: Owner | undefined }

/** What these rules ask for together, and whether enough people could agree. */
export function approversOf(
  about: readonly ApproverRule[],
  { nameOf, voters, owner }: World,
): Approvers {
  const requirement = merged(about, nameOf, owner)
  const isOwnerNeeded = about.some(({ approve }) => approve.asker !== 'counts')
  const undecidable = canBeDecided(requirement, voters) ? undefined : ('too_few' as const)
  return {
    requirement,
    lifeMs: lifeOf(about.map(({ approve }) => approve)),
    undecidable: isOwnerNeeded && owner === undefined ? 'owner_unknown' : undecidable,
  }
}

function isApprover(rule: EnforcedRule): rule is ApproverRule {
  return rule.approve !== undefined
}

/** A rule about an owner also holds where the owner is not known: it may be about them. */
function isFor(rule: ApproverRule, facts: RuleFacts): boolean {
  const isMatch = facts.owners === undefined ? matchesBesideOwner : matches
  return isAbout(rule, facts, isMatch) && !rule.approve.except?.some((one) => excepts(one, facts))
}

/** An exception for a command is for a line that is nothing else. */
function excepts(match: RuleMatch, facts: RuleFacts): boolean {
  if (!matches(match, facts)) return false
  return match.toolTarget === undefined || facts.commandWords?.()?.isOneCommand !== false
}

/** Several people can say yes or no together, but not choose or type together. */
function fits({ need = 1, and = [] }: RuleApprove, { type }: AskDraft): boolean {
  return type === 'confirm' || (need === 1 && and.length === 0)
}

type Names = (id: string) => Named

/** The names of groups and people. */
export function namesOf(groups: readonly Pick<Group, 'id' | 'name'>[], voters: Voters): Names {
  const byId = new Map<string, string>(groups.map(({ id, name }) => [id, name]))
  return (id) => {
    const name = isGroupId(id) ? byId.get(id) : voters.get(id)?.name
    return { id, name: name ?? '(gone)' }
  }
}

export function merged(
  rules: readonly ApproverRule[],
  nameOf: Names,
  owner: Owner | undefined,
): Requirement {
  const all = rules.map(({ approve }) => approve)
  const excludes = all.some(({ asker }) => asker !== 'counts')
  const fresh = FRESH.findLast((one) => all.some((approve) => approve.fresh === one))
  return {
    rules: rules.map((rule) => ({ id: rule.id, words: nameOfRule(rule) })),
    places: mergedPlaces(all, nameOf),
    // Of a service of a group nobody is the one who asks.
    excluded: excludes && owner !== undefined && !isGroupId(owner) ? [owner] : [],
    veto: mergedVeto(all, nameOf),
    // A chat takes neither a fresh sign-in nor a passkey.
    ...(fresh ? { where: ['page'] } : mergedWhere(all)),
    usableMs: Math.min(...all.map(({ usableMs = USABLE_MS }) => usableMs)),
    ...(fresh && { fresh }),
    ...mergedTelling(all),
  }
}

/** Whoever any of the rules tells; a rule that names nobody tells whoever may decide by it. */
function mergedTelling(
  all: readonly RuleApprove[],
): Pick<Requirement, 'tell' | 'urgent' | 'escalate'> {
  const escalate = mergedSteps(all)
  const targets = all.flatMap((approve) => approve.tell ?? approverIds(approve))
  return {
    ...(all.some(({ tell }) => tell) && { tell: [...new Set(targets)] }),
    ...(all.some(({ urgent }) => urgent) && { urgent: true as const }),
    ...(escalate.length > 0 && { escalate }),
  }
}

/** The steps of all rules in the order of time, without those that come when the question is over. */
function mergedSteps(all: readonly RuleApprove[]): NonNullable<Requirement['escalate']> {
  const life = lifeOf(all)
  const steps = all.flatMap(({ escalate = [] }) => escalate)
  const times = [...new Set(steps.map(({ afterMs }) => afterMs))].filter((ms) => ms < life)
  return times
    .sort((a, b) => a - b)
    .map((afterMs) => {
      const now = steps.filter((one) => one.afterMs === afterMs)
      return { afterMs, tell: [...new Set(now.flatMap(({ tell }) => tell))] }
    })
}

function lifeOf(all: readonly RuleApprove[]): number {
  return Math.max(...all.map(({ lifeMs = LIFE_MS }) => lifeMs))
}

/** Of the same people the larger number; of different ones all. */
function mergedPlaces(all: readonly RuleApprove[], nameOf: Names): Places[] {
  const byPeople = new Map<string, Places>()
  for (const { from, need = 1 } of all.flatMap(({ and = [], ...first }) => [first, ...and])) {
    const key = JSON.stringify([...new Set(from)].sort())
    const other = byPeople.get(key)?.need ?? 0
    byPeople.set(key, { from: from.map(nameOf), need: Math.max(need, other) })
  }
  return [...byPeople.values()]
}

/** Where all of the rules allow it; where they have nothing in common, on the page. */
function mergedWhere(all: readonly RuleApprove[]): Pick<Requirement, 'where'> {
  const lists = all.flatMap(({ where }) => (where ? [where] : []))
  if (lists.length === 0) return {}
  const common = VOTE_PLACES.filter((place) => lists.every((where) => where.includes(place)))
  return { where: common.length > 0 ? common : ['page'] }
}

/** Whoever may end it by any of the rules. */
function mergedVeto(all: readonly RuleApprove[], nameOf: Names): Requirement['veto'] {
  if (all.every(({ no }) => no === undefined)) return 'any'
  const ids = all.flatMap(
    ({ no, from, and = [] }) => no ?? [...from, ...and.flatMap((a) => a.from)],
  )
  return [...new Set(ids)].map(nameOf)
}

/** Words the rules of a requirement: `the rule for Bash on terraform*`. */
export function rulesWords({ rules }: Pick<Requirement, 'rules'>): string {
  return rules.map(({ words }) => words).join(' and ')
}
