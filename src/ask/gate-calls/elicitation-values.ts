import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { cleanLine, codePoints } from '../../platform/text.ts'

/** What an answer means for a field; `no`: it is no value of it, and why. */
type FieldValue = { is: 'value'; value: unknown } | { is: 'left_out' } | { is: 'no'; why: string }

export type Reader = (answer: string) => FieldValue

/** How a person answers a field: by choosing labels, or by writing. `words`: what they must know. */
type ValueReader = {
  labels?: string[]
  picksSeveral: boolean
  words?: string
  read: Reader
}

const COMMON = ['type', 'title', 'description', 'default']
const CHOICE = ['enum', 'enumNames', 'oneOf']
const KEYS: Readonly<Record<string, readonly string[]>> = {
  string: [...COMMON, ...CHOICE, 'minLength', 'maxLength', 'format'],
  number: [...COMMON, 'minimum', 'maximum'],
  integer: [...COMMON, 'minimum', 'maximum'],
  boolean: COMMON,
  array: [...COMMON, 'items', 'minItems', 'maxItems'],
}

/** How the answers to one field of a form are read; a text says why they cannot be. */
export function readerOf(schema: Fields): ValueReader | string {
  const { type } = schema
  const keys = typeof type === 'string' ? KEYS[type] : undefined
  if (!keys) return 'its type is not one of a form'
  const extra = Object.keys(schema).find((key) => !keys.includes(key))
  if (extra !== undefined) return `it has "${extra}"`
  if (type === 'boolean') return YES_OR_NO
  if (type === 'number' || type === 'integer') return numberReader(schema)
  return type === 'array' ? severalReader(schema) : textReader(schema)
}

const YES_OR_NO: ValueReader = {
  labels: ['Yes', 'No'],
  picksSeveral: false,
  read: (answer) => ({ is: 'value', value: answer === 'Yes' }),
}

function numberReader({
  type,
  minimum = -Infinity,
  maximum = Infinity,
}: Fields): ValueReader | string {
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return 'its limits are no numbers'
  const bounds = [
    minimum > -Infinity ? `at least ${minimum}` : '',
    maximum < Infinity ? `at most ${maximum}` : '',
  ]
  const kind = type === 'integer' ? 'A whole number' : 'A number'
  const words = `${[kind, ...bounds.filter(Boolean)].join(', ')}.`
  const read = (answer: string): FieldValue => {
    const text = answer.trim()
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    const isKind = type === 'number' || Number.isSafeInteger(value)
    if (isKind && value >= minimum && value <= maximum) return { is: 'value', value }
    return { is: 'no', why: words }
  }
  return { picksSeveral: false, words, read }
}

const FORMATS: Readonly<Record<string, { words: string; fits(text: string): boolean }>> = {
  email: { words: 'An e-mail address.', fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { words: 'An address, such as https://example.com.', fits: (text) => URL.canParse(text) },
  date: {
    words: 'A date, such as 2030-12-31.',
    fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'date-time': {
    words: 'A date with a time, such as 2030-12-31T18:00:00Z.',
    fits: (text) =>
      /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
}

function textReader(schema: Fields): ValueReader | string {
  const choices = choicesIn(schema)
  if (choices) return { labels: [...choices.keys()], picksSeveral: false, read: oneOf(choices) }
  if (CHOICE.some((key) => key in schema)) return 'its choices cannot be read'
  const { minLength = 0, maxLength = Infinity, format } = schema
  if (typeof minLength !== 'number' || typeof maxLength !== 'number')
    return 'its limits are no numbers'
  const rule = format === undefined ? undefined : FORMATS[String(format)]
  if (format !== undefined && !rule) return `its format is "${cleanLine(String(format))}"`
  const read = (answer: string): FieldValue => {
    const length = codePoints(answer)
    if (length < minLength) return { is: 'no', why: `At least ${minLength} characters.` }
    if (length > maxLength) return { is: 'no', why: `At most ${maxLength} characters.` }
    return rule && !rule.fits(answer)
      ? { is: 'no', why: rule.words }
      : { is: 'value', value: answer }
  }
  return { picksSeveral: false, read, ...(rule ? { words: rule.words } : {}) }
}

function severalReader({ items, minItems = 0, maxItems = Infinity }: Fields): ValueReader | string {
  const choices = isFields(items) ? choicesIn(items) : undefined
  if (!choices) return 'its choices cannot be read'
  if (typeof minItems !== 'number' || typeof maxItems !== 'number')
    return 'its limits are no numbers'
  const words = `Choose ${minItems} to ${Math.min(maxItems, choices.size)}.`
  const read = (answer: string): FieldValue => {
    const values = answer.split('\n').map((label) => choices.get(label))
    if (values.includes(undefined)) return { is: 'no', why: words }
    const fits = values.length >= minItems && values.length <= maxItems
    return fits ? { is: 'value', value: values } : { is: 'no', why: words }
  }
  return { labels: [...choices.keys()], picksSeveral: true, words, read }
}

function oneOf(choices: ReadonlyMap<string, string>): Reader {
  return (answer) => {
    const value = choices.get(answer)
    return value === undefined ? { is: 'no', why: 'One of the choices.' } : { is: 'value', value }
  }
}

/** The values of a choice by what a person reads. */
function choicesIn({
  enum: values,
  enumNames,
  oneOf: list,
  anyOf = list,
}: Fields): Map<string, string> | undefined {
  const isTexts = (all: unknown): all is string[] =>
    Array.isArray(all) && all.every((one) => typeof one === 'string')
  if (isTexts(values)) {
    const labels = isTexts(enumNames) && enumNames.length === values.length ? enumNames : values
    return asChoices(values.map((value, at) => [labels[at] ?? value, value]))
  }
  if (!Array.isArray(anyOf)) return undefined
  const pairs = anyOf.map((one) => (isFields(one) ? [one.title ?? one.const, one.const] : []))
  return asChoices(pairs)
}

/** Undefined if two of them read alike or one is no text. */
function asChoices(pairs: readonly unknown[][]): Map<string, string> | undefined {
  const choices = new Map<string, string>()
  for (const [label, value] of pairs) {
    if (typeof label !== 'string' || typeof value !== 'string') return undefined
    choices.set(cleanLine(label), value)
  }
  return choices.size === pairs.length ? choices : undefined
}
