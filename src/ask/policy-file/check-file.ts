import type { WrongField } from '../../platform/failure.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { wrongGroupName } from '../groups/groups.ts'
import { DEFAULT_POLICY, wrongPolicy } from '../policy/model/policy.ts'
import { asEnforced, storedMode } from '../policy/model/rule.ts'
import { approverIds, type RuleApprove, toldIds } from '../policy/model/rule-approve.ts'
import { lonelyServiceRules, type ServiceToken } from '../policy/model/service-rules.ts'
import { wrongProtect } from '../policy/protect.ts'
import { ownersAmong, stepFindings } from '../policy/step-findings.ts'
import { undecidableRules } from '../policy/undecidable-rules.ts'
import { wrongRule } from '../policy/write-rule.ts'
import { isNameOfTarget } from '../votes/model/target.ts'
import { wrongTargets } from './check-targets.ts'
import type { Finding } from './model/finding.ts'
import { EXTERNAL, type PolicyFile, type RuleInFile } from './model/policy-file.ts'
import { isExternal, type PolicyState } from './model/policy-state.ts'
import { clean, newIdsFor, type Resolved, resolveFile } from './resolve-file.ts'
import { wrongRotas } from './resolve-rotas.ts'

type LineOf = (field: string) => number

/** The people and groups that names can stand for; without a server only the groups of the file. */
type Directory = {
  hasPerson(address: string): boolean
  hasGroup(name: string): boolean
}

/**
 * Returns what is wrong with a file that fits the schema: names of nobody, rules that would do
 * nothing, and rules that nobody could satisfy. Without a state it believes each address.
 */
export function checkFile(file: PolicyFile, lineOf: LineOf, state?: PolicyState): Finding[] {
  const here = directoryOf(file, state)
  const { groups = {}, rules = [], policy, protect } = file
  const errors = [
    ...wrongPolicy(policy ?? {}).map((one) => inside('policy', one)),
    ...(policy?.failoverTo ?? []).flatMap((who, at) =>
      wrongPerson(`policy.failoverTo[${at}]`, who, here),
    ),
    ...Object.entries(groups).flatMap(([name, people]) => wrongGroup(name, people, here, state)),
    ...rules.flatMap((rule, at) => wrongRuleInFile(rule, `rules[${at}]`, here)),
    ...twice(rules),
    ...wrongRotas(file, (field, who) => wrongPerson(field, who, here), state),
    ...wrongTargets(file, state),
    ...(protect?.from ?? []).flatMap((who, at) => wrongName(`protect.from[${at}]`, who, here)),
  ]
  const withLine = (level: Finding['level']) => (one: WrongField) => ({
    ...one,
    level,
    line: lineOf(one.field),
  })
  const notes = rules.flatMap((rule, at) => claimed(rule, `rules[${at}]`))
  const all = [...errors.map(withLine('error')), ...notes.map(withLine('note'))]
  if (errors.length > 0) return all
  const resolved = resolveFile(file, state ?? imagined(file), newIdsFor(file, 0), 0)
  const locked = state ? lockedOut(file, resolved) : []
  const undecided = undecidable(file, state, resolved)
  const steps = wrongSteps(file, state, resolved).map(({ level, ...one }) => withLine(level)(one))
  return [
    ...[...all, ...locked.map(withLine('error'))],
    ...[...undecided.map(({ level, ...one }) => withLine(level)(one)), ...steps],
  ]
}

function inside(parent: string, { field, must }: WrongField): WrongField {
  return { field: `${parent}.${field}`, must }
}

function directoryOf({ groups = {} }: PolicyFile, state: PolicyState | undefined): Directory {
  const addresses = new Set(state?.people.map(({ email }) => email))
  const names = new Set(state?.groups.map(({ name }) => name))
  return {
    hasPerson: (address) => !state || addresses.has(clean(address)),
    hasGroup: (name) => Object.hasOwn(groups, name) || names.has(name),
  }
}

function wrongPerson(field: string, address: string, { hasPerson }: Directory): WrongField[] {
  if (!address.includes('@')) return [{ field, must: 'must be the address of a person' }]
  return hasPerson(address)
    ? []
    : [{ field, must: `is nobody of this workspace: ${cleanLine(address)}` }]
}

function wrongName(field: string, name: string, here: Directory): WrongField[] {
  if (name.includes('@')) return wrongPerson(field, name, here)
  if (here.hasGroup(name)) return []
  const must = GONE.test(name)
    ? `is somebody, or a group, that was removed (${name}): name another`
    : `is no group: there is no ${cleanLine(name)}`
  return [{ field, must }]
}

// What was removed is exported by its id.
const GONE = /^(group_[0-9a-z]+|[0-9A-Za-z]{32})$/

function wrongGroup(
  name: string,
  people: readonly string[] | typeof EXTERNAL,
  directory: Directory,
  state: PolicyState | undefined,
): WrongField[] {
  const field = `groups.${name}`
  const wrong = wrongGroupName(name).map(({ must }) => ({ field, must: `its name ${must}` }))
  if (cleanLine(name) !== name) {
    wrong.push({
      field: 'groups',
      must: 'must have names in one line, without invisible characters',
    })
  }
  const group = state?.groups.find((one) => one.name === name)
  if (people === EXTERNAL) {
    const isMissing = state !== undefined && !(group && isExternal(group))
    const must = 'must come from a directory or a sign-in provider, and none here has it'
    return isMissing ? [...wrong, { field, must }] : wrong
  }
  if (group && isExternal(group)) {
    const must = 'comes from a directory or a sign-in provider: write external in place of people'
    wrong.push({ field, must })
  }
  const seen = new Set<string>()
  const members = people.flatMap((address, at) => {
    const isTwice = seen.has(clean(address))
    seen.add(clean(address))
    const place = `${field}[${at}]`
    if (isTwice) return [{ field: place, must: 'must not be there twice' }]
    return wrongPerson(place, address, directory)
  })
  return [...wrong, ...members]
}

function wrongRuleInFile(rule: RuleInFile, field: string, here: Directory): WrongField[] {
  const { match = {}, set = {}, decision, approve, mode } = rule
  const names = [
    ...(match.owner === undefined ? [] : [[`${field}.match.owner`, match.owner] as const]),
    ...(approve ? namesIn(approve, `${field}.approve`) : []),
  ]
  return [
    ...wrongRule({ match, set, decision, approve, mode: storedMode(mode) }).map((one) =>
      inside(field, one),
    ),
    ...(set.failoverTo ?? []).flatMap((who, at) =>
      wrongPerson(`${field}.set.failoverTo[${at}]`, who, here),
    ),
    ...names.flatMap(([place, name]) => wrongName(place, name, here)),
  ]
}

function namesIn(approve: RuleApprove, field: string) {
  const { from, and = [], no = [], except = [], tell = [], escalate = [] } = approve
  const of = (names: readonly string[], place: string) =>
    names.map((name, at) => [`${place}[${at}]`, name] as const)
  return [
    ...of(from, `${field}.from`),
    ...and.flatMap((one, at) => of(one.from, `${field}.and[${at}].from`)),
    ...of(no, `${field}.no`),
    ...[
      ...of(tell, `${field}.tell`),
      ...escalate.flatMap((one, at) => of(one.tell, `${field}.escalate[${at}].tell`)),
    ].filter(([, name]) => !isNameOfTarget(name)),
    ...except.flatMap(({ owner }, at) =>
      owner === undefined ? [] : [[`${field}.except[${at}].owner`, owner] as const],
    ),
  ]
}

function twice(rules: readonly RuleInFile[]): WrongField[] {
  const seen = new Set<string>()
  return rules.flatMap(({ id }, at) => {
    const isTwice = seen.has(id)
    seen.add(id)
    return isTwice ? [{ field: `rules[${at}].id`, must: `must not be ${id} again` }] : []
  })
}

/** A rule for certain people that the caller could avoid. */
function claimed({ match = {}, approve }: RuleInFile, field: string): WrongField[] {
  const isClaimed = match.owner === undefined && match.token === undefined
  if (!approve || !isClaimed || Object.keys(match).length === 0) return []
  const must =
    'matches on what agents say of themselves; name an owner, or leave match out, to make it binding'
  return [{ field: `${field}.match`, must }]
}

/** Nobody could agree to any change, so that only the command line could. */
function lockedOut({ protect: typed }: PolicyFile, { protect, voters }: Resolved): WrongField[] {
  return typed && protect ? wrongProtect(protect, voters) : []
}

/** Only the server knows who is in a group that comes from elsewhere. */
function hasExternal({ groups }: PolicyFile, names: readonly string[]): boolean {
  return names.some((name) => !name.includes('@') && groups?.[name] === EXTERNAL)
}

function undecidable(
  file: PolicyFile,
  state: PolicyState | undefined,
  resolved: Resolved,
): Array<WrongField & Pick<Finding, 'level'>> {
  const { rules = [] } = file
  // What only watches stops nothing before somebody makes it act.
  const acting = resolved.rules.map(asEnforced)
  const isKnown = ({ approve }: RuleInFile) => !approve || !hasExternal(file, approverIds(approve))
  const reasons = new Map(
    undecidableRules(acting, resolved.voters).map((one) => [one.rule.name, one.why]),
  )
  const lonely = new Map(
    lonelyServiceRules(acting, state?.services ?? []).map((one) => [one.rule.name, one.token]),
  )
  return rules.flatMap((rule, at) => {
    const why = state || isKnown(rule) ? reasons.get(rule.id) : undefined
    const service = lonely.get(rule.id)
    const isWatching = storedMode(rule.mode) !== undefined
    const level = isWatching ? ('note' as const) : ('warning' as const)
    const says = (must: string) => ({ level, must: isWatching ? `${must} (once it acts)` : must })
    return [
      ...(why === undefined ? [] : [{ field: `rules[${at}].approve`, ...says(why) }]),
      ...(service ? [{ field: `rules[${at}].approve.need`, ...says(needsTwo(service)) }] : []),
    ]
  })
}

function needsTwo({ name }: ServiceToken): string {
  const service = cutText(cleanLine(name), SERVICE_MAX)
  return `must be 2 or more: the token ${service} belongs to a group, so nobody is left out as the one who asks`
}

const SERVICE_MAX = 60

/** Steps of an escalation that reach nobody who may decide, or come too late. */
function wrongSteps(file: PolicyFile, state: PolicyState | undefined, resolved: Resolved) {
  const { rules = [] } = file
  const owners = state && ownersAmong(state.people)
  return rules.flatMap(({ approve }, at) => {
    const rule = resolved.rules[at]
    const isKnown =
      state || (approve && !hasExternal(file, [...approverIds(approve), ...toldIds(approve)]))
    if (!rule?.approve || !isKnown) return []
    return stepFindings(rule.approve, { voters: resolved.voters, owners }).map(
      ({ at: step, ...one }) => ({ ...one, field: `rules[${at}].approve.escalate[${step}]` }),
    )
  })
}

/** A workspace of everybody whom the file names. */
function imagined({ groups = {}, rules = [], protect }: PolicyFile): PolicyState {
  const lists = Object.values(groups).filter((people) => people !== EXTERNAL)
  const approvers = rules.flatMap(({ approve }) =>
    approve ? [...approverIds(approve), ...toldIds(approve)] : [],
  )
  const addresses = [...lists.flat(), ...approvers, ...(protect?.from ?? [])]
    .filter((one) => one.includes('@'))
    .map(clean)
  const workspaceId = 'ws_' as const
  const people = [...new Set(addresses)].map((email) => {
    return { id: email, name: email, email, role: 'member' as const, offAt: null }
  })
  return { workspaceId, people, policy: DEFAULT_POLICY, ...NOTHING }
}

const NOTHING = {
  ...{ rules: [], groups: [], members: [], services: [], rotas: [], channels: [] },
  ...{ protect: undefined, origin: undefined, visibility: 'workspace' as const },
}
