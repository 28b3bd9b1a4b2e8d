import { newId } from '../../platform/ids.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Visibility } from '../accounts/model/person.ts'
import type { Group, GroupId, GroupMember } from '../groups/model/group.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/model/policy.ts'
import type { Protect } from '../policy/model/protect.ts'
import { type Rule, type RuleId, storedMode } from '../policy/model/rule.ts'
import { cleanParts } from '../policy/write-rule.ts'
import type { RotaId } from '../rota/model/rota.ts'
import type { Voters } from '../votes/model/standing.ts'
import { votersOf } from '../votes/read-voters.ts'
import { targetingOf } from '../wire/targeting.ts'
import { EXTERNAL, type PolicyFile, type RuleInFile } from './model/policy-file.ts'
import { approveWith, isExternal, type PolicyState, ruleNames } from './model/policy-state.ts'
import { newRotaIds, type ResolvedRotas, resolveRotas } from './resolve-rotas.ts'

/** What a workspace would be like once the file is applied. */
export type Resolved = {
  policy: Policy
  rules: Rule[]
  protect: Protect | undefined
  visibility: Visibility
  rotas: ResolvedRotas
  /** The groups of the file with their people; those that come from elsewhere stay out. */
  groups: Array<{ group: Group; people: PersonId[] }>
  /** The groups that only the last file had. */
  gone: Group[]
  members: GroupMember[]
  voters: Voters
}

/** Ids for what a file adds, made before the transaction that adds it. */
export type NewIds = {
  groups: ReadonlyMap<string, GroupId>
  rotas: ReadonlyMap<string, RotaId>
  rules: ReadonlyMap<string, RuleId>
}

export function newIdsFor(file: PolicyFile, now: number): NewIds {
  const { groups = {}, rules = [] } = file
  return {
    rotas: newRotaIds(file, now),
    groups: new Map(Object.keys(groups).map((name) => [name, newId('group', now)])),
    // A later rule is a younger one.
    rules: new Map(rules.map(({ id }, at) => [id, newId('rule', now + at)])),
  }
}

/** Replaces the names of a file with the ids of a workspace. `checkFile` has found all of them. */
export function resolveFile(
  file: PolicyFile,
  state: PolicyState,
  ids: NewIds,
  now: number,
): Resolved {
  const { groups, gone } = resolveGroups(file, state, ids, now)
  const members = membersWith(state, groups, gone)
  const idOf = idsOf(state, groups)
  const { policy = state.policy, rules } = file
  return {
    policy: file.policy ? withDefaults(policy, idOf) : state.policy,
    protect: protectIn(file, state, idOf),
    visibility: file.visibility ?? state.visibility,
    rotas: resolveRotas(file, state, ids.rotas, { idOf, now }),
    rules: rules ? resolveRules(rules, state, ids, { idOf, now }) : state.rules,
    groups,
    gone,
    members,
    voters: votersOf(state.people, members),
  }
}

function protectIn({ protect }: PolicyFile, state: PolicyState, idOf: (name: string) => string) {
  if (protect === undefined) return state.protect
  return protect === null ? undefined : { ...protect, from: protect.from.map(idOf) }
}

function withDefaults(policy: NonNullable<PolicyFile['policy']>, idOf: (name: string) => string) {
  const all = { ...DEFAULT_POLICY, ...policy }
  const targeting = targetingOf(all.targeting)
  return { ...all, targeting, failoverTo: all.failoverTo.map(idOf) }
}

function resolveGroups(file: PolicyFile, state: PolicyState, ids: NewIds, now: number) {
  if (!file.groups) return { groups: [], gone: [] }
  const { workspaceId, people } = state
  const byName = new Map(state.groups.map((group) => [group.name, group]))
  const byAddress = new Map(people.map(({ email, id }) => [email, id]))
  const groups = Object.entries(file.groups).flatMap(([name, addresses]) => {
    if (addresses === EXTERNAL) return []
    const fresh = { workspaceId, name, externalId: undefined, createdAt: now }
    const id = byName.get(name)?.id ?? ids.groups.get(name) ?? newId('group', now)
    const group: Group = { ...(byName.get(name) ?? fresh), id, source: 'file' }
    return [{ group, people: addresses.flatMap((one) => byAddress.get(clean(one)) ?? []) }]
  })
  const gone = state.groups.filter(
    (group) => group.source === 'file' && !Object.hasOwn(file.groups ?? {}, group.name),
  )
  return { groups, gone }
}

/** Addresses are stored in small letters. */
export function clean(address: string): string {
  return address.trim().toLowerCase()
}

function idsOf(state: PolicyState, groups: Resolved['groups']): (name: string) => string {
  const all = [...state.groups, ...groups.map(({ group }) => group)]
  const groupIds = new Map<string, string>(all.map(({ name, id }) => [name, id]))
  const personIds = new Map<string, string>(state.people.map(({ email, id }) => [email, id]))
  return (name) => (name.includes('@') ? personIds.get(clean(name)) : groupIds.get(name)) ?? name
}

type Names = { idOf: (name: string) => string; now: number }

function resolveRules(
  rules: readonly RuleInFile[],
  state: PolicyState,
  ids: NewIds,
  { idOf, now }: Names,
): Rule[] {
  const names = ruleNames(state.rules)
  const byName = new Map(state.rules.map((rule, at) => [names[at], rule]))
  return rules.map(({ id: name, match = {}, set = {}, decision, approve, mode }, at) => {
    const { owner, ...others } = match
    const { failoverTo, ...more } = set
    const parts = cleanParts({
      match: { ...others, ...(owner !== undefined && { owner: idOf(owner) }) },
      set: { ...more, ...(failoverTo && { failoverTo: failoverTo.map(idOf) }) },
    })
    const before = byName.get(name)
    return {
      id: before?.id ?? ids.rules.get(name) ?? newId('rule', now + at),
      workspaceId: state.workspaceId,
      match: parts.match ?? {},
      set: parts.set ?? {},
      decision,
      approve: approve && approveWith(approve, idOf),
      mode: storedMode(mode),
      name,
      createdAt: before?.createdAt ?? now,
    }
  })
}

/** Who would be in which groups. */
function membersWith(
  { members }: PolicyState,
  groups: Resolved['groups'],
  gone: readonly Group[],
): GroupMember[] {
  const own = new Set<string>(groups.map(({ group }) => group.id))
  const dropped = new Set<string>(gone.map(({ id }) => id))
  const others = members.filter(
    ({ groupId, source }) => !dropped.has(groupId) && (!own.has(groupId) || isExternal({ source })),
  )
  const typed = groups.flatMap(({ group, people }) =>
    people.map((personId) => ({ groupId: group.id, personId, source: 'file' as const })),
  )
  return [...others, ...typed]
}
