import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { targetingOf } from '../wire/targeting.ts'
import { applyPrograms } from './change-programs.ts'
import { guardChange } from './guard.ts'
import { type Policy, type PolicyChanges, wrongPolicy } from './model/policy.ts'
import type { Rule, RuleId } from './model/rule.ts'
import { changePolicy } from './model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'
import {
  checkRule,
  cleanParts,
  droppedParts,
  dropRule,
  onlyPeopleHere,
  type RuleEdit,
  type RuleInput,
  writeNewRule,
  writeRule,
} from './write-rule.ts'

type Deps = { db: Db; clock: Clock }

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

/** Adds a rule. Throws `invalid_input` for one that matches or changes nothing, or one too many. */
export async function addRule(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  input: RuleInput,
  by?: PersonId,
): Promise<Rule> {
  const { match = {}, set = {}, decision, approve, mode } = cleanParts(input)
  const now = clock.now()
  const id = newId('rule', now)
  const rule: Rule = { id, workspaceId, match, set, decision, approve, mode, createdAt: now }
  checkRule(rule)
  const stamp = auditStamp(now)
  const change = { workspaceId, by: { id: by }, kind: 'rule.add', input: rule }
  await db.write((tx) => guardChange(tx, change, () => writeNewRule(tx, rule, { by, stamp })))
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
  const input: RuleEdit = { id, parts: clean, drops: droppedParts(clean) }
  const change = { workspaceId, by: { id: by }, kind: 'rule.change', input }
  return db.write((tx) =>
    guardChange(tx, change, () => writeRule(tx, workspaceId, input, { by, stamp })),
  )
}

/** Deletes a rule. Throws `not_found`. */
export async function removeRule(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  id: RuleId,
  by?: PersonId,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  const change = { workspaceId, by: { id: by }, kind: 'rule.remove', input: { id } }
  await db.write((tx) =>
    guardChange(tx, change, () => dropRule(tx, workspaceId, { id }, { by, stamp })),
  )
}
