import { and, asc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import { createTtlCache } from '../../../platform/db/change-bus.ts'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Db, Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { DEFAULT_POLICY, type Policy, type PolicyChanges } from './policy.ts'
import type { PolicyOrigin } from './policy-origin.ts'
import type { Protect } from './protect.ts'
import {
  asEnforced,
  type EnforcedRule,
  isEnforced,
  type Rule,
  type RuleId,
  type RuleParts,
} from './rule.ts'
import { policies, rules } from './table.ts'

type PolicyAndRules = {
  policy: Policy
  /** The rules that act. */
  rules: EnforcedRule[]
  /** Those that only watch, as they would be if they acted. */
  watching: EnforcedRule[]
  /** All of them, as they are stored. */
  allRules: Rule[]
  /** The file that both come from. */
  origin: PolicyOrigin | undefined
}

/** Each workspace's policy and rules, which every question reads; cached for a second at most. */
export type Policies = Disposable & { of(workspaceId: WorkspaceId): Promise<PolicyAndRules> }

export function createPolicies({ db, clock }: { db: Db; clock: Clock }): Policies {
  return createTtlCache({ changes: db.changes, clock }, 'policy', async (id) => {
    const workspaceId = id as WorkspaceId
    const policy = await readPolicy(db.read, workspaceId)
    const allRules = await listRules(db.read, workspaceId)
    return {
      policy,
      rules: allRules.filter(isEnforced),
      watching: allRules.filter((rule) => !isEnforced(rule)).map(asEnforced),
      allRules,
      origin: await readOrigin(db.read, workspaceId),
    }
  })
}

/** The workspace's policy: the default with its changes. */
export async function readPolicy(read: Read, workspaceId: WorkspaceId): Promise<Policy> {
  const [row] = await findOne(read).execute({ workspaceId })
  return { ...DEFAULT_POLICY, ...row?.changes }
}

// Every answer reads it.
const findOne = prepared((read: Read) =>
  read
    .select()
    .from(policies)
    .where(eq(policies.workspaceId, sql.placeholder('workspaceId')))
    .prepare(),
)

/** Changes some fields and leaves the others; returns the new policy. */
export async function changePolicy(
  tx: Tx,
  workspaceId: WorkspaceId,
  changes: PolicyChanges,
  now: number,
): Promise<Policy> {
  await tx.lock(`policy ${workspaceId}`)
  const [row] = await tx.select().from(policies).where(eq(policies.workspaceId, workspaceId))
  const all = { ...row?.changes, ...changes }
  await tx
    .insert(policies)
    .values({ workspaceId, changes: all, updatedAt: now })
    .onConflictDoUpdate({ target: policies.workspaceId, set: { changes: all, updatedAt: now } })
  return { ...DEFAULT_POLICY, ...all }
}

/** The file that policy and rules come from; undefined if pages change them. */
export async function readOrigin(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<PolicyOrigin | undefined> {
  const [row] = await read
    .select({ file: policies.file })
    .from(policies)
    .where(eq(policies.workspaceId, workspaceId))
  return row?.file ?? undefined
}

/** From now on policy and rules come from this file, or from nowhere but the pages. */
export async function putOrigin(
  tx: Tx,
  workspaceId: WorkspaceId,
  file: PolicyOrigin | null,
  now: number,
): Promise<void> {
  await tx
    .insert(policies)
    .values({ workspaceId, changes: {}, updatedAt: now, file })
    .onConflictDoUpdate({ target: policies.workspaceId, set: { file } })
}

/** Who has to agree to changes of who may decide; undefined: nobody. */
export async function readProtect(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<Protect | undefined> {
  const [row] = await read
    .select({ protect: policies.protect })
    .from(policies)
    .where(eq(policies.workspaceId, workspaceId))
  return row?.protect ?? undefined
}

export async function putProtect(
  tx: Tx,
  workspaceId: WorkspaceId,
  protect: Protect | null,
  now: number,
): Promise<void> {
  await tx
    .insert(policies)
    .values({ workspaceId, changes: {}, updatedAt: now, protect })
    .onConflictDoUpdate({ target: policies.workspaceId, set: { protect } })
}

/** The rules of a workspace, the oldest first. */
export async function listRules(read: Read, workspaceId: WorkspaceId): Promise<Rule[]> {
  const rows = await read
    .select()
    .from(rules)
    .where(eq(rules.workspaceId, workspaceId))
    .orderBy(asc(rules.id))
  return rows.map(fromRow)
}

export async function insertRule(tx: Tx, rule: Rule): Promise<void> {
  await tx.insert(rules).values(rule)
}

/** Replaces the given parts of a rule; undefined if there is no such rule in the workspace. */
export async function updateRule(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: RuleId,
  parts: Partial<RuleParts & Pick<Rule, 'name'>>,
): Promise<Rule | undefined> {
  if (Object.keys(parts).length === 0) return findRule(tx, workspaceId, id)
  const changes = {
    ...parts,
    ...('decision' in parts ? { decision: parts.decision ?? null } : {}),
    ...('approve' in parts ? { approve: parts.approve ?? null } : {}),
    ...('mode' in parts ? { mode: parts.mode ?? null } : {}),
  }
  const rows = await tx.update(rules).set(changes).where(here(workspaceId, id)).returning()
  return rows[0] && fromRow(rows[0])
}

/** A rule of the workspace; undefined if there is none with this id. */
export async function findRule(
  read: Read,
  workspaceId: WorkspaceId,
  id: RuleId,
): Promise<Rule | undefined> {
  const rows = await read.select().from(rules).where(here(workspaceId, id))
  return rows[0] && fromRow(rows[0])
}

/** False if there is no such rule in the workspace. */
export async function deleteRule(tx: Tx, workspaceId: WorkspaceId, id: RuleId): Promise<boolean> {
  const rows = await tx.delete(rules).where(here(workspaceId, id)).returning({ id: rules.id })
  return rows.length > 0
}

function here(workspaceId: WorkspaceId, id: RuleId) {
  return and(eq(rules.workspaceId, workspaceId), eq(rules.id, id))
}

function fromRow(row: typeof rules.$inferSelect): Rule {
  return nullsToUndefined(row)
}
