import {
  FormatRegistry,
  Kind,
  type Static,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import {
  type TypeCheck,
  TypeCompiler,
  type ValueError,
  ValueErrorType,
} from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { type WrongField, wrongFields } from './failure.ts'
import { redactSecrets } from './redact/redact.ts'
import { cleanLine, codePoints, cutText } from './text.ts'

// Code points of a name that an error repeats; ours are shorter.
const NAME_MAX = 100

const UTC_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

FormatRegistry.Set('uri', (text) => URL.canParse(text))
FormatRegistry.Set('date-time', (text) => UTC_INSTANT.test(text) && isInCalendar(text))

// `Date.parse` reads 30 February as 2 March.
function isInCalendar(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

TypeRegistry.Set<{ enum: readonly string[] }>('OneOf', (schema, value) =>
  schema.enum.includes(value as string),
)

/** Describes a pattern in words; a symbol, so that it is not sent. */
export const PatternMeaning = Symbol('PatternMeaning')

/** One of a few strings, written as JSON Schema's `enum`, which every client understands. */
export function oneOf<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
): TUnsafe<T> {
  return Type.Unsafe<T>({ ...options, [Kind]: 'OneOf', type: 'string', enum: values })
}

/** A schema compiled once, whose errors are for the person or model that wrote the value. */
export type Shape<T extends TSchema> = {
  /** The value, typed. Throws `invalid_input` that names each wrong field. */
  parse(value: unknown): Static<T>
  /** Every wrong field; empty if the value fits. */
  wrong(value: unknown): WrongField[]
}

// More errors do not help, and a hostile value could have one for every byte.
const ERRORS_MAX = 100

export function shape<T extends TSchema>(schema: T): Shape<T> {
  // Compiling takes milliseconds, so a command that never needs the shape does not pay for it.
  let check: TypeCheck<T> | undefined
  function wrong(value: unknown): WrongField[] {
    check ??= TypeCompiler.Compile(schema)
    if (check.Check(value)) return []
    const errors = Iterator.from(check.Errors(value))
      .flatMap(innerErrors)
      .filter((error) => !isShortEnough(error))
    return problems(errors.take(ERRORS_MAX).toArray())
  }
  return {
    wrong,
    parse(value) {
      const fields = wrong(value)
      if (fields.length > 0) throw wrongFields(fields)
      return value as Static<T>
    },
  }
}

/**
 * The names of members that `schema` does not have, for a message; undefined if there are none, or if
 * anything else is wrong, too.
 */
export function addedMembers(schema: TSchema, value: unknown): string | undefined {
  const errors = [...Iterator.from(Value.Errors(schema, value)).take(ERRORS_MAX)]
  const isAdded = ({ type }: ValueError) => type === ValueErrorType.ObjectAdditionalProperties
  if (errors.length === 0 || !errors.every(isAdded)) return undefined
  const names = errors.map(({ path }) => path.slice(1).replaceAll('/', '.'))
  return cutText(cleanLine(names.join(', ')), NAME_MAX)
}

/** Of a value that is meant to be one variant of a union, by its kind: what is wrong with that one. */
function* innerErrors(error: ValueError): Generator<ValueError> {
  const variants: TSchema[] = error.type === ValueErrorType.Union ? error.schema.anyOf : []
  const kind = Array.isArray(error.value) ? 'array' : typeof error.value
  const fitting = variants.flatMap(({ type }, at) => (type === kind ? [at] : []))
  const inner = fitting.length === 1 ? error.errors[fitting[0] ?? 0] : undefined
  if (inner) for (const one of inner) yield* innerErrors(one)
  else yield error
}

// TypeBox counts UTF-16 units, our limits are code points (JSON Schema, maxLength).
function isShortEnough(error: ValueError): boolean {
  if (error.type !== ValueErrorType.StringMaxLength) return false
  return codePoints(error.value as string) <= error.schema.maxLength
}

function problems(errors: ValueError[]): WrongField[] {
  const byField = new Map<string, string>()
  for (const error of errors) {
    const field = fieldName(error.path)
    if (!byField.has(field)) byField.set(field, must(error))
  }
  return [...byField].map(([field, must]) => ({ field, must }))
}

/**
 * `/context/details/0` → `context.details[0]`; the value itself → `arguments`. A caller may have
 * used a secret, or a whole text, as a name.
 */
function fieldName(path: string): string {
  if (path === '') return 'arguments'
  return path
    .slice(1)
    .split('/')
    .map((part) => redactSecrets(part.replaceAll('~1', '/').replaceAll('~0', '~'), NAME_MAX))
    .reduce((name, part) => {
      if (/^\d+$/.test(part)) return `${name}[${part}]`
      return name ? `${name}.${part}` : part
    }, '')
}

function must(error: ValueError): string {
  const { schema } = error
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'is required'
    case ValueErrorType.ObjectAdditionalProperties:
      return 'is not a known field'
    case ValueErrorType.String:
      return 'must be a string'
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1
        ? 'must not be empty'
        : `must have at least ${schema.minLength} characters`
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema.maxLength} characters`
    case ValueErrorType.StringFormat:
      return schema.format === 'uri'
        ? 'must be an absolute URL'
        : 'must be a UTC time like 2026-01-31T12:00:00Z'
    case ValueErrorType.StringPattern:
      return (
        (schema as { [PatternMeaning]?: string })[PatternMeaning] ?? `must match ${schema.pattern}`
      )
    case ValueErrorType.Array:
      return 'must be an array'
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${items(schema.minItems)}`
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${items(schema.maxItems)}`
    case ValueErrorType.Object:
      return 'must be an object'
    case ValueErrorType.Boolean:
      return 'must be true or false'
    case ValueErrorType.Integer:
      return 'must be a whole number'
    case ValueErrorType.IntegerMinimum:
      return `must be at least ${schema.minimum}`
    case ValueErrorType.IntegerMaximum:
      return `must be at most ${schema.maximum}`
    case ValueErrorType.Literal:
      return `must be ${JSON.stringify(schema.const)}`
    case ValueErrorType.Kind:
      return `must be one of ${schema.enum.map((value: string) => JSON.stringify(value)).join(', ')}`
    case ValueErrorType.Union:
      return 'does not have one of the allowed shapes'
    default:
      return error.message.charAt(0).toLowerCase() + error.message.slice(1)
  }
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`
}
