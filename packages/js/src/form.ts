// The server checks answers with this file, too; packages/cases/forms.json holds for every language.

type About<T> = { title?: string; description?: string; default?: T }

/** A field of a form, as JSON Schema writes it. */
export type FormField =
  | ({ type: 'string'; minLength?: number; maxLength?: number } & About<string>)
  | ({ type: 'string'; enum: readonly string[] } & About<string>)
  | ({ type: 'string'; format: 'date' } & About<string>)
  | ({ type: 'number' | 'integer'; minimum?: number; maximum?: number } & About<number>)
  | ({ type: 'boolean' } & About<boolean>)
  | ({
      type: 'array'
      items: { type: 'string'; enum?: readonly string[] }
      minItems?: number
      maxItems?: number
    } & About<readonly string[]>)

/** A form of at most ten fields, as JSON Schema: anything else in it is refused by name. */
export type FormSchema = {
  type: 'object'
  properties: Readonly<Record<string, FormField>>
  required?: readonly string[]
  additionalProperties?: false
}

type ValueOf<F> = F extends { enum: readonly (infer E)[] }
  ? E
  : F extends { type: 'number' | 'integer' }
    ? number
    : F extends { type: 'boolean' }
      ? boolean
      : F extends { type: 'array'; items: { enum: readonly (infer E)[] } }
        ? E[]
        : F extends { type: 'array' }
          ? string[]
          : string

type RequiredOf<S extends FormSchema> = S extends { required: readonly (infer R)[] } ? R : never

/** The value of a form: a schema that is written `as const` gives its type. */
export type FormValue<S extends FormSchema> = {
  [K in keyof S['properties'] as K extends RequiredOf<S> ? K : never]: ValueOf<S['properties'][K]>
} & {
  [K in keyof S['properties'] as K extends RequiredOf<S> ? never : K]?: ValueOf<S['properties'][K]>
}

/** A member that is wrong, and what it must be. */
export type Wrong = { field: string; must: string }

const FIELDS_MAX = 10
const CHOICES_MAX = 20
const TEXT_MAX = 2_000
const LABEL_MAX = 100
const DESCRIPTION_MAX = 300
const ITEMS_MAX = 50
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const ABOUT = ['type', 'title', 'description', 'default']
const MEMBERS: Record<string, readonly string[]> = {
  string: ['enum', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
}

type Members = Record<string, unknown>

/** What is wrong with a schema, by its path; empty for one that makes a form. */
export function wrongSchema(schema: unknown): Wrong[] {
  if (!isObject(schema)) return [{ field: '', must: 'must be an object' }]
  const wrong = others(schema, '', ['type', 'properties', 'required', 'additionalProperties'])
  if (schema.type !== 'object') wrong.push({ field: 'type', must: 'must be "object"' })
  if (![undefined, false].includes(schema.additionalProperties as undefined)) {
    wrong.push({ field: 'additionalProperties', must: 'must be false or left out' })
  }
  const { properties, required = [] } = schema
  const names = isObject(properties) ? Object.keys(properties) : []
  if (!isObject(properties) || names.length < 1 || names.length > FIELDS_MAX) {
    wrong.push({ field: 'properties', must: `must have 1 to ${FIELDS_MAX} fields` })
    return wrong
  }
  if (!Array.isArray(required) || required.some((name) => !names.includes(name))) {
    wrong.push({ field: 'required', must: 'must be a list of names in properties' })
  }
  return [...wrong, ...names.flatMap((name) => wrongField(name, properties[name]))]
}

function wrongField(name: string, field: unknown): Wrong[] {
  const path = `properties.${name}`
  if (!NAME.test(name)) {
    return [{ field: path, must: 'must be named with letters, digits, - and _, a letter first' }]
  }
  const type = isObject(field) ? field.type : undefined
  const members = typeof type === 'string' && Object.hasOwn(MEMBERS, type) && MEMBERS[type]
  if (!isObject(field) || !members) {
    const types = Object.keys(MEMBERS).join(', ')
    return [{ field: `${path}.type`, must: `must be one of ${types}` }]
  }
  const wrong = [
    ...others(field, path, [...ABOUT, ...members]),
    ...wrongTexts(field, path),
    ...wrongLimits(field, path),
  ]
  if (wrong.length === 0 && field.default !== undefined) {
    const must = wrongIn(field as Members, field.default)
    if (must) wrong.push({ field: `${path}.default`, must })
  }
  return wrong
}

function others(of: Members, path: string, members: readonly string[]): Wrong[] {
  return Object.keys(of)
    .filter((name) => !members.includes(name) && of[name] !== undefined)
    .map((name) => ({
      field: join(path, name),
      must: `must be left out: forms have ${members.join(', ')}`,
    }))
}

function wrongTexts(field: Members, path: string): Wrong[] {
  const limits = { title: LABEL_MAX, description: DESCRIPTION_MAX }
  const wrong = Object.entries(limits)
    .filter(([name, most]) => field[name] !== undefined && !isText(field[name], 1, most))
    .map(([name, most]) => ({
      field: `${path}.${name}`,
      must: `must be text of 1 to ${most} characters`,
    }))
  if (field.format !== undefined && field.format !== 'date') {
    wrong.push({ field: `${path}.format`, must: 'must be "date" or left out' })
  }
  const items = field.items as unknown
  if (field.type === 'array') {
    if (!isObject(items) || items.type !== 'string') {
      wrong.push({ field: `${path}.items.type`, must: 'must be "string"' })
    } else wrong.push(...others(items, `${path}.items`, ['type', 'enum']))
  }
  const [choices, at] = isObject(items)
    ? [items.enum, `${path}.items.enum`]
    : [field.enum, `${path}.enum`]
  if (choices !== undefined && !isChoices(choices)) {
    const must = `must be a list of 1 to ${CHOICES_MAX} different texts of at most ${LABEL_MAX} characters`
    wrong.push({ field: at, must })
  }
  return wrong
}

function isChoices(choices: unknown): boolean {
  if (!Array.isArray(choices) || choices.length < 1 || choices.length > CHOICES_MAX) return false
  const isFine = choices.every((one) => isText(one, 1, LABEL_MAX) && one.trim() === one)
  return isFine && new Set(choices).size === choices.length
}

const LIMITS = [
  ['minLength', 'maxLength', TEXT_MAX],
  ['minItems', 'maxItems', ITEMS_MAX],
  ['minimum', 'maximum', Number.POSITIVE_INFINITY],
] as const

function wrongLimits(field: Members, path: string): Wrong[] {
  return LIMITS.flatMap(([low, high, most]) => {
    const isCount = most !== Number.POSITIVE_INFINITY
    const fits = (value: unknown) =>
      value === undefined ||
      (isCount ? isInteger(value) && value >= 0 && value <= most : Number.isFinite(value))
    const must = isCount ? `must be a whole number of 0 to ${most}` : 'must be a number'
    const wrong = [low, high]
      .filter((name) => !fits(field[name]))
      .map((name) => ({ field: `${path}.${name}`, must }))
    const [least, greatest] = [field[low], field[high]]
    if (wrong.length === 0 && Number(least) > Number(greatest)) {
      wrong.push({ field: `${path}.${high}`, must: `must be at least ${low}` })
    }
    return wrong
  })
}

/** What is wrong with a value for a schema that is right, by the names of its fields. */
export function wrongValue({ properties, required = [] }: FormSchema, value: unknown): Wrong[] {
  if (!isObject(value)) return [{ field: '', must: 'must be an object' }]
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((field) => ({ field, must: 'is required' }))
  const wrong = Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    const must = field ? wrongIn(field, one) : 'must be left out: the form has no such field'
    return must ? [{ field: name, must }] : []
  })
  return [...missing, ...wrong]
}

function wrongIn(field: Members, value: unknown): string | undefined {
  const { type, minimum, maximum, minLength = 0, maxLength = TEXT_MAX } = field
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (type === 'array') return wrongList(field, value)
  if (type === 'string') {
    if (Array.isArray(field.enum)) return field.enum.includes(value) ? undefined : oneOf(field.enum)
    if (field.format === 'date')
      return isDate(value) ? undefined : 'must be a date such as 2026-01-31'
    const [least, most] = [Number(minLength), Number(maxLength)]
    return isText(value, least, most) ? undefined : `must be text of ${least} to ${most} characters`
  }
  const kind = type === 'integer' ? 'a whole number' : 'a number'
  const isRight = type === 'integer' ? isInteger(value) : Number.isFinite(value)
  const isWithin = !(Number(value) < Number(minimum)) && !(Number(value) > Number(maximum))
  if (isRight && isWithin) return undefined
  const least = minimum === undefined ? '' : ` of at least ${minimum}`
  const most = maximum === undefined ? '' : ` of at most ${maximum}`
  const isBoth = least !== '' && most !== ''
  return `must be ${kind}${isBoth ? ` of ${minimum} to ${maximum}` : least + most}`
}

function wrongList(field: Members, value: unknown): string | undefined {
  const { minItems = 0, maxItems = ITEMS_MAX } = field
  const [least, most] = [Number(minItems), Number(maxItems)]
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    return `must be a list of ${least} to ${most}`
  }
  const choices = (field.items as Members).enum
  if (Array.isArray(choices)) {
    return value.every((one) => choices.includes(one)) ? undefined : oneOf(choices)
  }
  return value.every((one) => isText(one, 0, TEXT_MAX)) ? undefined : 'must be a list of texts'
}

function oneOf(choices: readonly unknown[]): string {
  return `must be one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`
}

function isText(value: unknown, least: number, most: number): value is string {
  if (typeof value !== 'string') return false
  const length = [...value].length
  return length >= least && length <= most
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) && value > '0001'
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The value in the JSON text of an answer; undefined for one that is no answer to this form. */
export function readForm<const S extends FormSchema>(
  schema: S,
  text: unknown,
): FormValue<S> | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return wrongValue(schema, value).length === 0 ? (value as FormValue<S>) : undefined
  } catch {
    return undefined
  }
}
