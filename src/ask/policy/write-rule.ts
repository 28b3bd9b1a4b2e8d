import type { Read, Tx } from '../../platform/db/database.ts'
import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cleanLine, isBlank, MUST_BE_SEEN } from '../../platform/text.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import type { AuditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { listGroups } from '../groups/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import {
  nameOfRule,
  type Rule,
  type RuleId,
  type RuleMode,
  type RuleParts,
  storedMode,
} from './model/rule.ts'
import { approverIds, exceptedOwners, toldIds } from './model/rule-approve.ts'
import { type RuleChange, ruleChangeDetail } from './model/rule-change.ts'
import { deleteRule, findRule, insertRule, listRules, updateRule } from './model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'
import { ownersAmong, stepFindings } from './step-findings.ts'

// More than a person can oversee, and few enough to check for every question.
const RULES_MAX = 200

export type RuleInput = Partial<Pick<Rule, 'match' | 'set' | 'decision' | 'approve'>> & {
  mode?: RuleMode | undefined
}

/** The parts of a rule as they are stored. */
type StoredParts = Omit<RuleInput, 'mode'> & Pick<Rule, 'mode'>

/** A change of a rule as JSON: `drops` are the parts that it takes away. */
export type RuleEdit = { id: RuleId; parts: StoredParts; drops: Array<(typeof OPTIONAL)[number]> }

const OPTIONAL = ['decision', 'approve', 'mode'] as const

/** By whom, and the row of the trail. */
export type Author = { by?: PersonId | undefined; stamp: AuditStamp }

/** Adds a rule that was checked. Throws `conflict` for one too many, and `invalid_input`. */
export async function writeNewRule(tx: Tx, rule: Rule, { by, stamp }: Author): Promise<void> {
  const { workspaceId, set } = rule
  await tx.lock(`rules ${workspaceId}`)
  await refuseBesideFile(tx, workspaceId)
  await onlyPeopleHere(tx, workspaceId, 'set.failoverTo', set.failoverTo)
  await onlyNamedHere(tx, rule)
  await onlyUsefulSteps(tx, rule)
  if ((await listRules(tx, workspaceId)).length >= RULES_MAX) throw tooMany()
  await insertRule(tx, rule)
  await recordChange(tx, stamp, ruleChange(rule, { now: rule }, by))
  tx.emit('policy', workspaceId)
}

/** Changes the given parts of a rule. Throws before it writes anything. */
export async function writeRule(
  tx: Tx,
  workspaceId: WorkspaceId,
  { id, parts, drops }: RuleEdit,
  { by, stamp }: Author,
): Promise<Rule> {
  await refuseBesideFile(tx, workspaceId)
  await onlyPeopleHere(tx, workspaceId, 'set.failoverTo', parts.set?.failoverTo)
  const before = await findRule(tx, workspaceId, id)
  if (!before) throw noRule()
  const changes = {
    ...omitUndefined(parts),
    ...Object.fromEntries(drops.map((one) => [one, undefined])),
  }
  const after = { ...before, ...changes }
  checkRule(after)
  await onlyNamedHere(tx, after)
  if (parts.approve) await onlyUsefulSteps(tx, after)
  const rule = await updateRule(tx, workspaceId, id, changes)
  if (!rule) throw noRule()
  await recordChange(tx, stamp, ruleChange(rule, { now: rule, before }, by))
  tx.emit('policy', workspaceId)
  return rule
}

export async function dropRule(
  tx: Tx,
  workspaceId: WorkspaceId,
  { id }: Pick<Rule, 'id'>,
  { by, stamp }: Author,
): Promise<void> {
  await refuseBesideFile(tx, workspaceId)
  const before = await findRule(tx, workspaceId, id)
  if (!(before && (await deleteRule(tx, workspaceId, id)))) throw noRule()
  await recordChange(tx, stamp, ruleChange(before, { before }, by))
  tx.emit('policy', workspaceId)
}

/** The parts that are given as undefined: they are taken away. */
export function droppedParts(parts: StoredParts): RuleEdit['drops'] {
  return OPTIONAL.filter((name) => name in parts && parts[name] === undefined)
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
export function cleanParts(input: RuleInput): StoredParts {
  const { mode, ...parts } = input
  const { match, set } = parts
  const pairs = Object.entries(match ?? {}).map(([name, text]) => [name, cleanLine(text)])
  return {
    ...parts,
    ...(match ? { match: Object.fromEntries(pairs) } : {}),
    ...(set?.tags ? { set: { ...set, tags: set.tags.map(cleanLine) } } : {}),
    ...('mode' in input ? { mode: storedMode(mode) } : {}),
  }
}

export function checkRule(rule: Rule): void {
  const wrong = wrongRule(rule)
  if (wrong.length > 0) throw wrongFields(wrong)
}

/** What is wrong with a rule that fits the schema. */
export function wrongRule({ match, set, decision, approve, mode }: RuleParts): WrongField[] {
  const wrong: WrongField[] = []
  const isForAll = approve !== undefined || decision === 'deny'
  if (Object.keys(match).length === 0 && !isForAll) {
    wrong.push({
      field: 'match',
      must: 'must name at least one field; for all calls, change the policy',
    })
  }
  for (const [name, text] of Object.entries(match)) {
    if (isBlank(text)) wrong.push({ field: `match.${name}`, must: MUST_BE_SEEN })
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
  if (mode && !approve && decision !== 'deny') {
    wrong.push({
      field: 'mode',
      must: 'can be watch only beside approve, or a decision to deny; leave it out otherwise',
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
export async function onlyPeopleHere(
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

/** Throws `invalid_input` for a step of an escalation that tells nobody who may decide. */
async function onlyUsefulSteps(read: Read, { workspaceId, approve }: Rule): Promise<void> {
  if (!approve?.escalate) return
  const voters = await readVoters(read, workspaceId)
  const owners = ownersAmong(await listPeople(read, workspaceId))
  const wrong = stepFindings(approve, { voters, owners }).filter(({ level }) => level === 'error')
  if (wrong.length === 0) return
  throw wrongFields(wrong.map(({ at, must }) => ({ field: `approve.escalate[${at}]`, must })))
}

const NOBODY = 'must be the id of a person of this workspace'
const TWICE = 'must not be named twice'

function tooMany(): Failure {
  return new Failure('conflict', `There are ${RULES_MAX} rules already; remove some first.`)
}

function noRule(): Failure {
  return new Failure('not_found', 'There is no such rule here.')
}
