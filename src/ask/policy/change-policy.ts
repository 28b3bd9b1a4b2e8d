import type { Clock } from '../../platform/clock.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { listGroups } from '../groups/model/store.ts'
import { targetingOf } from '../wire/targeting.ts'
import { applyPrograms } from './change-programs.ts'
import { type Policy, type PolicyChanges, wrongPolicy } from './model/policy.ts'
import { nameOfRule, type Rule, type RuleId } from './model/rule.ts'
import { approverIds, exceptedOwners, toldIds } from './model/rule-approve.ts'
import { type RuleChange, ruleChangeDetail } from './model/rule-change.ts'
import {
  changePolicy,
  deleteRule,
  findRule,
  insertRule,
  listRules,
  updateRule,
} from './model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'

type Deps = { db: Db; clock: Clock }

// More than a person can oversee, and few enough to check for every question.
const RULES_MAX = 200

/**
 * Changes some fields of the policy. Throws `invalid_input` for a time zone that does not exist, or a
 * program that cannot be added.
 */
export async function setPolicy(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  input: PolicyChanges,
  by?: PersonId,
): Promise<Policy> {
  const { targeting } = input
  const changes = targeting ? { ...input, targeting: targetingOf(targeting) } : input
  const wrong = wrongPolicy(changes)
  if (wrong.length > 0) throw wrongFields(wrong)
  const now = clock.now()
  const stamp = auditStamp(now)
  return db.write(async (tx) => {
    await refuseBesideFile(tx, workspaceId)
    await onlyPeopleHere(tx, workspaceId, 'failoverTo', changes.failoverTo)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'policy.changed',
      personId: by ?? null,
      detail: JSON.stringify(changes),
    })
    tx.emit('policy', workspaceId)
    const policy = await changePolicy(tx, workspaceId, changes, now)
    if (changes.programs) await applyPrograms(tx, workspaceId, changes.programs, now)
    return policy
  })
}

export type RuleInput = Partial<Pick<Rule, 'match' | 'set' | 'decision' | 'approve'>>

/** Adds a rule. Throws `invalid_input` for one that matches or changes nothing, or one too many. */
export async function addRule(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  input: RuleInput,
  by?: PersonId,
): Promise<Rule> {
  const { match = {}, set = {}, decision, approve } = cleanParts(input)
  const now = clock.now()
  const id = newId('rule', now)
  const rule: Rule = { id, workspaceId, match, set, decision, approve, createdAt: now }
  checkRule(rule)
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await tx.lock(`rules ${workspaceId}`)
    await refuseBesideFile(tx, workspaceId)
    await onlyPeopleHere(tx, workspaceId, 'set.failoverTo', set.failoverTo)
    await onlyNamedHere(tx, rule)
    if ((await listRules(tx, workspaceId)).length >= RULES_MAX) throw tooMany()
    await insertRule(tx, rule)
    await recordChange(tx, stamp, ruleChange(rule, { now: rule }, by))
    tx.emit('policy', workspaceId)
  })
  return rule
}

/** Replaces the given parts of a rule. Throws `not_found`, and as `addRule`. */
export async function changeRule(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  id: RuleId,
  parts: RuleInput,
  by?: PersonId,
): Promise<Rule> {
  const stamp = auditStamp(clock.now())
  const clean = cleanParts(parts)
  return db.write(async (tx) => {
    await refuseBesideFile(tx, workspaceId)
    await onlyPeopleHere(tx, workspaceId, 'set.failoverTo', clean.set?.failoverTo)
    const before = await findRule(tx, workspaceId, id)
    const rule = await updateRule(tx, workspaceId, id, clean)
    if (!(before && rule)) throw noRule()
    checkRule(rule)
    await onlyNamedHere(tx, rule)
    await recordChange(tx, stamp, ruleChange(rule, { now: rule, before }, by))
    tx.emit('policy', workspaceId)
    return rule
  })
}

/** Deletes a rule. Throws `not_found`. */
export async function removeRule(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  id: RuleId,
  by?: PersonId,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    await refuseBesideFile(tx, workspaceId)
    const before = await findRule(tx, workspaceId, id)
    if (!(before && (await deleteRule(tx, workspaceId, id)))) throw noRule()
    await recordChange(tx, stamp, ruleChange(before, { before }, by))
    tx.emit('policy', workspaceId)
  })
}

function ruleChange(rule: Rule, change: RuleChange, by?: PersonId) {
  return {
    workspaceId: rule.workspaceId,
    kind: 'rule.changed' as const,
    personId: by ?? null,
    subjectId: rule.id,
    subjectName: nameOfRule(rule),
    detail: ruleChangeDetail(change),
  }
}

/** Cleaned like what calls and devices send, so that they compare equal. */
export function cleanParts(parts: RuleInput): RuleInput {
  const { match, set } = parts
  const pairs = Object.entries(match ?? {}).map(([name, text]) => [name, cleanLine(text)])
  return {
    ...parts,
    ...(match ? { match: Object.fromEntries(pairs) } : {}),
    ...(set?.tags ? { set: { ...set, tags: set.tags.map(cleanLine) } } : {}),
  }
}

function checkRule(rule: Rule): void {
  const wrong = wrongRule(rule)
  if (wrong.length > 0) throw wrongFields(wrong)
}

type RuleParts = Pick<Rule, 'match' | 'set' | 'decision' | 'approve'>

/** What is wrong with a rule that fits the schema. */
export function wrongRule({ match, set, decision, approve }: RuleParts): WrongField[] {
  const wrong: WrongField[] = []
  const isForAll = approve !== undefined || decision === 'deny'
  if (Object.keys(match).length === 0 && !isForAll) {
    wrong.push({
      field: 'match',
      must: 'must name at least one field; for all calls, change the policy',
    })
  }
  for (const [name, text] of Object.entries(match)) {
    if (text === '') wrong.push({ field: `match.${name}`, must: 'must not be empty' })
  }
  for (const [at, one] of (approve?.except ?? []).entries()) {
    if (Object.keys(one).length > 0) continue
    wrong.push({ field: `approve.except[${at}]`, must: 'must name at least one field' })
  }
  if (approve && decision !== undefined) {
    wrong.push({
      field: 'approve',
      must: 'cannot go with a decision: either people decide or the rule',
    })
  }
  if (Object.keys(set).length === 0 && decision === undefined && !approve) {
    wrong.push({ field: 'set', must: 'must change something, unless there is a decision' })
  }
  if (decision === 'allow' && match.toolName === undefined) {
    wrong.push({ field: 'match.toolName', must: 'is required when the decision is allow' })
  }
  return wrong
}

/** Throws `invalid_input` that names the first who is nobody of this workspace, or is named twice. */
async function onlyPeopleHere(
  read: Read,
  workspaceId: WorkspaceId,
  field: string,
  ids: readonly string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const here = new Set((await listPeople(read, workspaceId)).map(({ id }) => id as string))
  for (const [at, id] of ids.entries()) {
    if (!here.has(id)) throw wrongFields([{ field: `${field}[${at}]`, must: NOBODY }])
    if (ids.indexOf(id) !== at) throw wrongFields([{ field: `${field}[${at}]`, must: TWICE }])
  }
}

/** Throws `invalid_input` for a group or person that a rule names and that is not here. */
async function onlyNamedHere(read: Read, { workspaceId, match, approve }: Rule): Promise<void> {
  const approvers = approve
    ? [...approverIds(approve), ...exceptedOwners(approve), ...toldIds(approve)]
    : []
  const ids = [...approvers, ...(match.owner ? [match.owner] : [])]
  if (ids.length === 0) return
  const people = await listPeople(read, workspaceId)
  const groups = await listGroups(read, workspaceId)
  const here = new Set<string>([...people, ...groups].map(({ id }) => id))
  const missing = ids.find((id) => !here.has(id))
  if (missing === undefined) return
  const field = missing === match.owner ? 'match.owner' : 'approve'
  const must = `must name groups and people of this workspace; ${missing} is not here`
  throw wrongFields([{ field, must }])
}

const NOBODY = 'must be the id of a person of this workspace'
const TWICE = 'must not be named twice'

function tooMany(): Failure {
  return new Failure('conflict', `There are ${RULES_MAX} rules already; remove some first.`)
}

function noRule(): Failure {
  return new Failure('not_found', 'There is no such rule here.')
}
