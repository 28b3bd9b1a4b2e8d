import type { Tx } from '../../platform/db/database.ts'
import { deleteGroup, insertGroup, putGroupMembers, putGroupSource } from '../groups/model/store.ts'
import { applyPrograms } from '../policy/change-programs.ts'
import { writeVisibility } from '../policy/change-visibility.ts'
import {
  changePolicy,
  deleteRule,
  insertRule,
  putProtect,
  updateRule,
} from '../policy/model/store.ts'
import type { PolicyState } from './model/policy-state.ts'
import type { Resolved } from './resolve-file.ts'
import { rotasAfter, writeRotas } from './resolve-rotas.ts'

/** The state once a file is applied. */
export function stateAfter(state: PolicyState, resolved: Resolved): PolicyState {
  const { policy, rules, groups, gone, members, protect, visibility } = resolved
  const changed = new Set([...groups.map(({ group }) => group), ...gone].map(({ id }) => id))
  const others = state.groups.filter(({ id }) => !changed.has(id))
  const all = [...others, ...groups.map(({ group }) => group)]
  const rotas = rotasAfter(state, resolved.rotas)
  return { ...state, policy, rules, rotas, protect, visibility, groups: all, members }
}

/** Writes what the file changes. */
export async function write(
  tx: Tx,
  state: PolicyState,
  resolved: Resolved,
  now: number,
): Promise<void> {
  const { workspaceId } = state
  const { policy, rules, groups, gone, protect } = resolved
  for (const { id } of gone) await deleteGroup(tx, workspaceId, id)
  for (const { group, people } of groups) {
    const isNew = !state.groups.some(({ id }) => id === group.id)
    if (isNew) await insertGroup(tx, group)
    else await putGroupSource(tx, group, 'file')
    await putGroupMembers(tx, group, 'hand', [])
    await putGroupMembers(tx, group, 'file', people)
  }
  await writeRotas(tx, state, resolved.rotas)
  await changePolicy(tx, workspaceId, policy, now)
  if (!Bun.deepEquals(policy.programs, state.policy.programs)) {
    await applyPrograms(tx, workspaceId, policy.programs, now)
  }
  if (!Bun.deepEquals(protect, state.protect)) {
    await putProtect(tx, workspaceId, protect ?? null, now)
  }
  if (resolved.visibility !== state.visibility) {
    await writeVisibility(tx, workspaceId, resolved.visibility)
  }
  const before = new Map(state.rules.map((rule) => [rule.id, rule]))
  const ids = new Set(rules.map(({ id }) => id))
  for (const { id } of state.rules) if (!ids.has(id)) await deleteRule(tx, workspaceId, id)
  for (const rule of rules) {
    const { match, set, decision, approve, mode, name } = rule
    if (!before.has(rule.id)) await insertRule(tx, rule)
    else await updateRule(tx, workspaceId, rule.id, { match, set, decision, approve, mode, name })
  }
}
