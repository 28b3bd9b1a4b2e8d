import type { Read, Tx } from '../../platform/db/database.ts'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { type Guard, NeedsAgreement } from '../accounts/model/guarded-change.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { listGroupMembers, listGroups } from '../groups/model/store.ts'
import { isGroupId } from '../votes/model/requirement.ts'
import { guardedOwners } from './model/guarded-owners.ts'
import type { Protect } from './model/protect.ts'
import { isEnforced, type Rule } from './model/rule.ts'
import { approverIds, exceptedOwners } from './model/rule-approve.ts'
import { listRules, readProtect } from './model/store.ts'

/**
 * Makes a change unless others have to agree to it: where the policy protects who may decide, nothing
 * that decides it may be otherwise afterwards. What a change touches is read from its effect, so that
 * no way of making it is forgotten.
 */
export const guardChange: Guard = async (tx, change, write) => {
  const { result, isGuarded } = await compareGuarded(tx, change.workspaceId, write)
  if (isGuarded) throw new NeedsAgreement(change)
  return result
}

/** Makes a change, and says whether others would have to agree to it. */
export async function compareGuarded<T>(
  tx: Tx,
  workspaceId: WorkspaceId,
  write: () => Promise<T>,
): Promise<{ result: T; isGuarded: boolean }> {
  const before = await readGuarded(tx, workspaceId)
  const result = await write()
  const isGuarded = before !== undefined && (await readGuarded(tx, workspaceId)) !== before
  return { result, isGuarded }
}

/** As `guardChange`, for what lets somebody in or lets a program write: also that is protected. */
export const guardAlways: Guard = async (tx, change, write) => {
  if (await readLocked(tx, change.workspaceId)) throw new NeedsAgreement(change)
  return write()
}

/** Whoever changes who may decide holds this lock until commit. */
export function lockProtect(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  return tx.lock(`protect ${workspaceId}`)
}

async function readLocked(tx: Tx, workspaceId: WorkspaceId): Promise<Protect | undefined> {
  await lockProtect(tx, workspaceId)
  return readProtect(tx, workspaceId)
}

/** Everything that is protected, as one text; undefined where nothing is. */
async function readGuarded(tx: Tx, workspaceId: WorkspaceId): Promise<string | undefined> {
  const protect = await readLocked(tx, workspaceId)
  if (!protect) return undefined
  const rules = await listApproving(tx, workspaceId)
  const used = usedGroups(rules, protect)
  const groups = (await listGroups(tx, workspaceId)).filter(({ id }) => used.has(id))
  const members = await listGroupMembers(tx, workspaceId)
  const peopleOf = (id: string) => [
    ...new Set(members.filter(({ groupId }) => groupId === id).map(({ personId }) => personId)),
  ]
  const guarded = {
    protect,
    // Its name in the file decides nothing.
    rules: rules.map(({ createdAt: _, name: __, ...rule }) => rule),
    groups: groups.map(({ id, name }) => ({ id, name, people: peopleOf(id).sort() })),
    owners: [...guardedOwners(rules, await listTokens(tx, workspaceId))].sort(),
  }
  return canonicalText(JSON.parse(JSON.stringify(guarded)))
}

/** The rules by which people decide. One that only watches is guarded from when it is to act. */
async function listApproving(read: Read, workspaceId: WorkspaceId): Promise<Rule[]> {
  return (await listRules(read, workspaceId)).filter(
    (rule) => rule.approve !== undefined && isEnforced(rule),
  )
}

/** The ids of all groups that decide, or whose people's agents a rule is for. */
export function usedGroups(
  rules: readonly Rule[],
  protect: Protect | undefined,
): ReadonlySet<string> {
  const ids = rules.flatMap(({ match, approve }) => [
    ...(match.owner === undefined ? [] : [match.owner]),
    ...(approve ? [...approverIds(approve), ...exceptedOwners(approve)] : []),
  ])
  return new Set([...(protect?.from ?? []), ...ids].filter(isGroupId))
}

/** Returns the tokens whose owner is protected: their owner changes once others have agreed. */
export async function readGuardedTokens(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<ReadonlySet<TokenId>> {
  if (!(await readProtect(read, workspaceId))) return new Set()
  const tokens = await listTokens(read, workspaceId)
  return new Set(guardedOwners(await listRules(read, workspaceId), tokens).keys())
}

/** Returns true for somebody who decides by something that is protected. */
export async function decidesHere(
  read: Read,
  workspaceId: WorkspaceId,
  personId: string,
): Promise<boolean> {
  const protect = await readProtect(read, workspaceId)
  if (!protect) return false
  const rules = await listApproving(read, workspaceId)
  const ids = [
    ...protect.from,
    ...rules.flatMap(({ approve }) => (approve ? approverIds(approve) : [])),
  ]
  if (ids.includes(personId)) return true
  const members = await listGroupMembers(read, workspaceId)
  return members.some((one) => one.personId === personId && ids.includes(one.groupId))
}
