import { DEFAULT_VISIBILITY, type Visibility } from '../../accounts/model/person.ts'
import { storedMode } from '../../policy/model/rule.ts'
import { isDuration, type RuleInFile, timeText, type WholeFile } from './policy-file.ts'
import type { RotasInFile } from './rotas-in-file.ts'

/** One thing that a file would change. */
export type Difference = {
  part: 'policy' | 'group' | 'rota' | 'rule' | 'protect' | 'visibility'
  /** The name of the group or rule; of the policy, its field; of what protects both, who agrees. */
  name: string
  change: 'added' | 'removed' | 'changed'
  /** What changes in a rule or group. */
  fields: Array<{ field: string; before?: unknown; now?: unknown }>
}

/** Returns what differs between two states. A file changes no channels. */
export function differencesOf(before: WholeFile, now: WholeFile): Difference[] {
  return [
    ...policyDifferences(before.policy, now.policy),
    ...groupDifferences(before.groups, now.groups),
    ...protectDifferences(before.protect, now.protect),
    ...rotaDifferences(before.rotas, now.rotas),
    ...visibilityDifferences(before.visibility, now.visibility),
    ...ruleDifferences(before.rules, now.rules),
  ]
}

function policyDifferences(before: object, now: object): Difference[] {
  return fieldsOf(before, now).map((one) => ({
    ...{ part: 'policy' as const, name: one.field, change: 'changed' as const, fields: [one] },
  }))
}

function groupDifferences(before: WholeFile['groups'], now: WholeFile['groups']): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.flatMap((name) => {
    const [old, next] = [sorted(before[name]), sorted(now[name])]
    if (Bun.deepEquals(old, next)) return []
    const fields = [{ field: 'people', before: old, now: next }]
    return [{ part: 'group' as const, name, change: changeOf(old, next), fields }]
  })
}

function rotaDifferences(before: RotasInFile = {}, now: RotasInFile = {}): Difference[] {
  const parts = (rota: RotasInFile[string] | undefined) =>
    typeof rota === 'object' ? rota : { calendar: rota }
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
    const [old, next] = [before[name], now[name]]
    const fields = fieldsOf(parts(old), parts(next))
    if (fields.length === 0) return []
    return [{ part: 'rota' as const, name, change: changeOf(old, next), fields }]
  })
}

function protectDifferences(before: WholeFile['protect'], now: WholeFile['protect']): Difference[] {
  const [old, next] = [before ?? undefined, now ?? undefined]
  const fields = fieldsOf(old ?? {}, next ?? {})
  const change = changeOf(old, next)
  const name = (next ?? old)?.from.join(', ') ?? ''
  return fields.length === 0 ? [] : [{ part: 'protect', name, change, fields }]
}

function visibilityDifferences(
  before: Visibility = DEFAULT_VISIBILITY,
  now: Visibility = DEFAULT_VISIBILITY,
): Difference[] {
  if (before === now) return []
  const fields = [{ field: 'visibility', before, now }]
  return [{ part: 'visibility', name: now, change: 'changed', fields }]
}

/** The order of people in a group means nothing. */
function sorted(people: readonly string[] | string | undefined) {
  return Array.isArray(people) ? people.map((one) => one.toLowerCase()).sort() : people
}

function ruleDifferences(before: readonly RuleInFile[], now: readonly RuleInFile[]): Difference[] {
  const old = new Map(before.map((rule) => [rule.id, rule]))
  const next = new Map(now.map((rule) => [rule.id, rule]))
  const ids = [...new Set([...old.keys(), ...next.keys()])]
  return ids.flatMap((name) => {
    const fields = fieldsOf(full(old.get(name)), full(next.get(name)))
    const change = changeOf(old.get(name), next.get(name))
    return fields.length === 0 ? [] : [{ part: 'rule' as const, name, change, fields }]
  })
}

function full(rule: RuleInFile | undefined): object {
  if (!rule) return {}
  const { match = {}, set = {}, decision, approve, mode } = rule
  return { match, set, decision, approve, mode: storedMode(mode) }
}

function fieldsOf(before: object, now: object): Difference['fields'] {
  return changesBetween(new Map(Object.entries(before)), new Map(Object.entries(now)))
}

type Change = Difference['fields'][number]

function changesBetween(before: Map<string, unknown>, now: Map<string, unknown>): Change[] {
  return [...new Set([...before.keys(), ...now.keys()])]
    .map((field) => ({ field, before: before.get(field), now: now.get(field) }))
    .filter((one) => !Bun.deepEquals(one.before, one.now))
}

function changeOf(before: unknown, now: unknown): Difference['change'] {
  if (before === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}

/** `+ rule prod-apply`, and a line for each value that comes, goes or changes. */
export function differenceLines({ part, name, change, fields }: Difference): string[] {
  if (part === 'visibility') return fields.map((one) => `~ visibility: ${arrow(one)}`)
  const values = fields.flatMap(valuesOf)
  if (part === 'policy') {
    return values.map((one) => `~ policy ${one.field}: ${arrow(one)}`)
  }
  const sign = { added: '+', removed: '-', changed: '~' }[change]
  const head = `${sign} ${part} ${name}`
  return [head, ...values.map((one) => `    ${one.field}: ${arrow(one)}`)]
}

/** The values in a field that differ, each by its path: `approve.from`, `approve.and[1].need`. */
function valuesOf({ field, before, now }: Change): Change[] {
  // Beside the values of an object, none is no value of its own.
  const isWhole = isObject(before) || isObject(now)
  const leaves = (value: unknown) => leavesOf(isWhole && value === null ? undefined : value, field)
  return changesBetween(leaves(before), leaves(now))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function leavesOf(value: unknown, path: string): Map<string, unknown> {
  if (value === undefined) return new Map()
  if (!isObject(value) || isList(value)) return new Map([[path, value]])
  const pathOf = (key: string) =>
    Array.isArray(value) ? `${path}[${Number(key) + 1}]` : `${path}.${key}`
  return new Map(Object.entries(value).flatMap(([key, one]) => [...leavesOf(one, pathOf(key))]))
}

function arrow({ field, before, now }: Change): string {
  const isListed = (value: unknown) => value === undefined || isList(value)
  if (isListed(before) && isListed(now)) {
    return listChange((before ?? []) as string[], (now ?? []) as string[])
  }
  const text = (value: unknown) =>
    typeof value === 'number' && value > 0 && isDuration(field) ? timeText(value) : inJson(value)
  return `${text(before)} → ${text(now)}`
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** `+ fay@example.org, - bob@example.org`: of long lists only what comes and goes is read. */
function listChange(before: readonly string[], now: readonly string[]): string {
  const added = now.filter((one) => !before.includes(one)).map((one) => `+ ${one}`)
  const removed = before.filter((one) => !now.includes(one)).map((one) => `- ${one}`)
  const changes = [...added, ...removed]
  return changes.length > 0 ? changes.join(', ') : `${inJson(before)} → ${inJson(now)}`
}

function inJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
