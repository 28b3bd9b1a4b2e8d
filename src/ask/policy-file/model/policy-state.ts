import type { Read } from '../../../platform/db/database.ts'
import { canonicalText } from '../../../platform/signing/canonical.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { DEFAULT_VISIBILITY, type Visibility } from '../../accounts/model/person.ts'
import { type ListedPerson, listPeople } from '../../accounts/model/person-store.ts'
import { listTokens } from '../../accounts/model/token-store.ts'
import { readVisibility } from '../../accounts/model/workspace-store.ts'
import type { Group, GroupMember } from '../../groups/model/group.ts'
import { listGroupMembers, listGroups } from '../../groups/model/store.ts'
import type { Policy } from '../../policy/model/policy.ts'
import type { PolicyOrigin } from '../../policy/model/policy-origin.ts'
import type { Protect } from '../../policy/model/protect.ts'
import { nameOfRule, type Rule } from '../../policy/model/rule.ts'
import type { RuleApprove } from '../../policy/model/rule-approve.ts'
import { type ServiceToken, serviceTokens } from '../../policy/model/service-rules.ts'
import { listRules, readOrigin, readPolicy, readProtect } from '../../policy/model/store.ts'
import type { Rota } from '../../rota/model/rota.ts'
import { listRotas } from '../../rota/model/store.ts'
import { type Channel, listChannels } from '../../telling/model/channel.ts'
import { isGroupId } from '../../votes/model/requirement.ts'
import { isNameOfTarget } from '../../votes/model/target.ts'
import { channelsInFile } from './channels-in-file.ts'
import { EXTERNAL, type PolicyFile, type RuleInFile, type WholeFile } from './policy-file.ts'
import { rotasInFile } from './rotas-in-file.ts'

/** What a policy file is about, as it is in a workspace now. */
export type PolicyState = {
  workspaceId: WorkspaceId
  policy: Policy
  rules: Rule[]
  groups: Group[]
  members: GroupMember[]
  people: Array<Pick<ListedPerson, 'id' | 'name' | 'email' | 'role' | 'offAt'>>
  /** The tokens of groups. */
  services: ServiceToken[]
  protect: Protect | undefined
  rotas: Rota[]
  /** What rules can tell by name; a file changes none of them. */
  channels: Channel[]
  visibility: Visibility
  origin: PolicyOrigin | undefined
}

export async function readState(read: Read, workspaceId: WorkspaceId): Promise<PolicyState> {
  return {
    workspaceId,
    policy: await readPolicy(read, workspaceId),
    rules: await listRules(read, workspaceId),
    groups: await listGroups(read, workspaceId),
    members: await listGroupMembers(read, workspaceId),
    people: await listPeople(read, workspaceId),
    services: serviceTokens(await listTokens(read, workspaceId)),
    protect: await readProtect(read, workspaceId),
    rotas: await listRotas(read, workspaceId),
    channels: await listChannels(read, workspaceId),
    visibility: await readVisibility(read, workspaceId),
    origin: await readOrigin(read, workspaceId),
  }
}

/** Groups whose people are not set here. */
export function isExternal({ source }: Pick<Group, 'source'>): boolean {
  return source !== 'hand' && source !== 'file'
}

/** The state as a file that has every part. */
export function fileOf(state: PolicyState): WholeFile {
  const { policy, rules, groups, members, people, protect, visibility } = state
  const nameOf = namesOf(state)
  const addresses = (group: Group) =>
    people
      .filter(({ id }) =>
        members.some(
          (one) => one.groupId === group.id && one.personId === id && one.source === group.source,
        ),
      )
      .map(({ email }) => email)
  const ruleIds = ruleNames(rules)
  return {
    beckon: 'policy/1',
    policy: { ...policy, failoverTo: policy.failoverTo.map(nameOf) },
    groups: Object.fromEntries(
      groups.map((one) => [one.name, isExternal(one) ? EXTERNAL : addresses(one)]),
    ),
    ...(protect && { protect: { ...protect, from: protect.from.map(nameOf) } }),
    ...rotasInFile(state.rotas, nameOf),
    ...channelsInFile(state.channels),
    ...(visibility !== DEFAULT_VISIBILITY && { visibility }),
    rules: rules.map((rule, at) => ruleInFile(rule, ruleIds[at] ?? '', nameOf)),
  }
}

/** Names what an id stands for; somebody who is gone keeps the id, which the file is then told. */
function namesOf({ groups, people }: PolicyState): (id: string) => string {
  const groupNames = new Map<string, string>(groups.map(({ id, name }) => [id, name]))
  const addresses = new Map<string, string>(people.map(({ id, email }) => [id, email]))
  return (id) => (isGroupId(id) ? groupNames.get(id) : addresses.get(id)) ?? id
}

function ruleInFile(rule: Rule, id: string, nameOf: (id: string) => string): RuleInFile {
  const { match, set, decision, approve, mode } = rule
  const { owner, ...others } = match
  const { failoverTo, ...more } = set
  return {
    id,
    ...(Object.keys(match).length > 0 && {
      match: { ...others, ...(owner !== undefined && { owner: nameOf(owner) }) },
    }),
    ...(Object.keys(set).length > 0 && {
      set: { ...more, ...(failoverTo && { failoverTo: failoverTo.map(nameOf) }) },
    }),
    ...(decision && { decision }),
    ...(approve && { approve: approveWith(approve, nameOf) }),
    ...(mode && { mode }),
  }
}

/** The same with each group and person replaced. */
export function approveWith(approve: RuleApprove, change: (one: string) => string): RuleApprove {
  const { from, and, no, except, tell, escalate } = approve
  const changeTarget = (one: string) => (isNameOfTarget(one) ? one : change(one))
  return {
    ...approve,
    from: from.map(change),
    ...(and && { and: and.map((one) => ({ ...one, from: one.from.map(change) })) }),
    ...(no && { no: no.map(change) }),
    ...(tell && { tell: tell.map(changeTarget) }),
    ...(escalate && {
      escalate: escalate.map((one) => ({ ...one, tell: one.tell.map(changeTarget) })),
    }),
    ...(except && {
      except: except.map((one) =>
        one.owner === undefined ? one : { ...one, owner: change(one.owner) },
      ),
    }),
  }
}

const NAME_MAX = 50

/** The names of rules in files; a rule without one gets what it is for, `bash-git-push`. */
export function ruleNames(rules: readonly Rule[]): string[] {
  const taken = new Set(rules.flatMap(({ name }) => name ?? []))
  return rules.map((rule) => {
    if (rule.name !== undefined) return rule.name
    const words = [rule.match.repoKey, nameOfRule(rule), rule.decision].filter(Boolean).join(' ')
    const plain = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const base = plain.slice(0, NAME_MAX).replace(/^-+|-+$/g, '') || 'rule'
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
    taken.add(name)
    return name
  })
}

/**
 * The digest of a state: another one means that something was changed. Channels are none of it, as a
 * file changes none.
 */
export function digestOf({ channels: _, ...file }: PolicyFile): string {
  return sha256(canonicalText(JSON.parse(JSON.stringify(file))))
}
