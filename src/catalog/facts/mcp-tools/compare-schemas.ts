import { cleanLine, cutText } from '../../../platform/text.ts'
import { canonicalJson } from '../../records/canonical.ts'
import type { ToolPart } from '../../records/tool-changes.ts'

/**
 * Whose schema it is. A call breaks by what its server asks beyond before, a reader of a result by
 * what it no longer gets.
 */
type Side = 'parameter' | 'result'
type Schema = Record<string, unknown>

const DEPTH_MAX = 8
const TEXT_MAX = 200

/** The differences between two JSON schemas, each with whether it breaks what worked before. */
export function compareSchemas(side: Side, before: unknown, after: unknown): ToolPart[] {
  return same(before, after) ? [] : differences(side, '', schemaOf(before), schemaOf(after), 0)
}

function differences(
  side: Side,
  path: string,
  before: Schema | undefined,
  after: Schema | undefined,
  depth: number,
): ToolPart[] {
  if (!before || !after || depth > DEPTH_MAX) return [part(side, path, 'limits', null)]
  const own = [
    ...wordsOf(side, path, before, after),
    ...typeOf(side, path, before, after),
    ...valuesOf(side, path, before, after),
    ...limitsOf(side, path, before, after),
  ]
  const items = same(before.items, after.items)
    ? []
    : differences(side, `${path}[]`, schemaOf(before.items), schemaOf(after.items), depth + 1)
  return [...own, ...membersOf(side, path, before, after, depth), ...items]
}

/** Members that came, went, became required or optional, and what changed within the others. */
function membersOf(
  side: Side,
  path: string,
  before: Schema,
  after: Schema,
  depth: number,
): ToolPart[] {
  const [old, now] = [recordOf(before.properties), recordOf(after.properties)]
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  return names.flatMap((name) => {
    const place = path === '' ? name : `${path}.${name}`
    const [was, is] = [wasRequired.has(name), isRequired.has(name)]
    if (!Object.hasOwn(old, name)) {
      return [
        part(side, place, 'came', side === 'parameter' && is, {
          after: is ? 'required' : 'optional',
        }),
      ]
    }
    if (!Object.hasOwn(now, name)) return [part(side, place, 'went', true)]
    const duty =
      was === is
        ? []
        : [part(side, place, is ? 'required' : 'optional', is === (side === 'parameter'))]
    const within = same(old[name], now[name])
      ? []
      : differences(side, place, schemaOf(old[name]), schemaOf(now[name]), depth + 1)
    return [...duty, ...within]
  })
}

function wordsOf(side: Side, path: string, before: Schema, after: Schema): ToolPart[] {
  const isSame = ['title', 'description', 'examples', 'default'].every((key) =>
    same(before[key], after[key]),
  )
  return isSame ? [] : [part(side, path, 'words', false)]
}

/** A type that takes more than before breaks no call; one that takes less may. */
function typeOf(side: Side, path: string, before: Schema, after: Schema): ToolPart[] {
  if (same(before.type, after.type)) return []
  const [old, now] = [typesOf(before), typesOf(after)]
  const texts = { before: inShort(before.type), after: inShort(after.type) }
  return [part(side, path, 'type', breaksBySet(side, old, now), texts)]
}

function valuesOf(side: Side, path: string, before: Schema, after: Schema): ToolPart[] {
  const [old, now] = [enumOf(before), enumOf(after)]
  if (same(old, now)) return []
  const texts = { before: inShort(old), after: inShort(now) }
  return [part(side, path, 'values', breaksBySet(side, textsOf(old), textsOf(now)), texts)]
}

/** Undefined: anything is allowed. */
function breaksBySet(
  side: Side,
  old: ReadonlySet<string> | undefined,
  now: ReadonlySet<string> | undefined,
): boolean {
  const [from, to] = side === 'parameter' ? [old, now] : [now, old]
  if (!to) return false
  return !from || [...from].some((one) => !to.has(one))
}

/** Whether a higher value asks for more (1) or for less (-1). */
const NUMBERS: Record<string, 1 | -1> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
}
const READ_ELSEWHERE = new Set([
  ...['title', 'description', 'examples', 'default', 'type', 'enum', 'const'],
  ...['properties', 'required', 'items', '$schema', '$id', '$comment'],
])

/** Every other keyword; those that are no plain number say nothing for certain. */
function limitsOf(side: Side, path: string, before: Schema, after: Schema): ToolPart[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.flatMap((key) => {
    if (READ_ELSEWHERE.has(key) || same(before[key], after[key])) return []
    const texts = { before: limitWords(key, before[key]), after: limitWords(key, after[key]) }
    return [part(side, path, 'limits', breaksByLimit(side, key, before[key], after[key]), texts)]
  })
}

function breaksByLimit(side: Side, key: string, before: unknown, after: unknown): boolean | null {
  if (key === 'additionalProperties' && isFlag(before) && isFlag(after)) {
    const isStricter = after === false
    return side === 'parameter' ? isStricter : !isStricter
  }
  const direction = NUMBERS[key]
  if (direction === undefined || !isNumber(before) || !isNumber(after)) return null
  // Without a limit, everything is allowed.
  const open = -direction * Number.POSITIVE_INFINITY
  const isStricter = direction * ((after ?? open) - (before ?? open)) > 0
  return side === 'parameter' ? isStricter : !isStricter
}

const isNumber = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === 'number'

const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean'

function part(
  side: Side,
  path: string,
  what: ToolPart['what'],
  breaking: boolean | null,
  more: { before?: string | undefined; after?: string | undefined } = {},
): ToolPart {
  const place = path === '' ? {} : { path: cleanLine(cutText(path, TEXT_MAX)) }
  const { before, after } = more
  const texts = { ...(before ? { before } : {}), ...(after ? { after } : {}) }
  return { what, of: side, ...place, ...texts, breaking }
}

function limitWords(key: string, value: unknown): string {
  return value === undefined ? `no ${key}` : inShort(`${key} ${JSON.stringify(value)}`)
}

/** A value on one line. */
export function inShort(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined ? 'any' : JSON.stringify(value)
  return cleanLine(cutText(text, TEXT_MAX))
}

function schemaOf(value: unknown): Schema | undefined {
  if (value === undefined || value === true) return {}
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : undefined
}

function recordOf(value: unknown): Schema {
  return schemaOf(value) ?? {}
}

function requiredOf({ required }: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : [])
}

/** An integer is a number. Undefined: any type. */
function typesOf({ type }: Schema): ReadonlySet<string> | undefined {
  const types = textsOf(type === undefined || Array.isArray(type) ? type : [type])
  return types?.has('"number"') ? new Set([...types, '"integer"']) : types
}

function enumOf(schema: Schema): unknown {
  return Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
}

function textsOf(values: unknown): ReadonlySet<string> | undefined {
  return Array.isArray(values) ? new Set(values.map((one) => canonicalJson(one))) : undefined
}

function same(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b
  return canonicalJson(a) === canonicalJson(b)
}
