import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { OptionalKind } from '@sinclair/typebox'
import type { ComponentChildren } from 'preact'
import { durationWords, readDuration } from '../duration.ts'
import { type Shape, shape } from '../schema.ts'
import { cleanLine } from '../text.ts'
import { type Draft, formField, type Wrong } from './form.tsx'

/** One of the values that a field offers: its name, and what it means. */
type Choice = { name: string; what?: string }

/** What a page says about one property of a schema. */
export type FieldNote = {
  /** The name of the input, if the property has another one. */
  name?: string
  title: string
  help?: ComponentChildren
  /** `ms`: milliseconds, which people read and write as `45 s`. */
  unit?: 'ms'
  /** The values to choose from, each in words. */
  choices?: Readonly<Record<string, Choice>>
  /** The choice that leaves an optional property out, in words. */
  none?: string
  type?: 'time'
  placeholder?: string
  maxLength?: number
}

/** A property of a schema as a form shows it. */
export type SchemaField = FieldNote & {
  name: string
  schema: TSchema
  isOptional: boolean
  shape: Shape<TSchema>
}

/** The fields of a form, by the property that each one is for. */
export type FormSchema<V> = { readonly [K in keyof V & string]: SchemaField }

/** Makes the fields of a form from the schema of its value; limits come from the schema. */
export function formSchema<T extends TObject, K extends keyof Static<T> & string>(
  schema: T,
  notes: Record<K, FieldNote>,
): FormSchema<Pick<Static<T>, K>> {
  const fields = Object.entries<FieldNote>(notes).map(([key, note]) => {
    const property = schema.properties[key] as TSchema
    const isOptional = OptionalKind in property
    return [key, { name: key, ...note, schema: property, isOptional, shape: shape(property) }]
  })
  return Object.fromEntries(fields)
}

/** The title of each field, by the name of its input. */
export function titlesOf(form: FormSchema<object>): Record<string, string> {
  return Object.fromEntries(fieldsOf(form).map(([, { name, title }]) => [name, title]))
}

/** A value as the texts of its fields. */
export function draftOf<V extends object>(
  form: FormSchema<V>,
  value: { [K in keyof V]?: V[K] | undefined },
): Draft {
  const texts = fieldsOf(form).map(([key, field]) => {
    return [field.name, textOf(field, (value as Record<string, unknown>)[key])]
  })
  return Object.fromEntries(texts)
}

/**
 * Reads the fields of a posted form: the texts, the value, and the errors by the name of the input.
 * A field that the form does not have keeps its text of `before`. The value is only of type `V` if
 * nothing is wrong.
 */
export function readFields<V extends object>(
  form: FormSchema<V>,
  posted: URLSearchParams,
  before: Draft = {},
): { draft: Draft; value: V; wrong: Wrong } {
  const draft: Record<string, string> = {}
  const value: Record<string, unknown> = {}
  const wrong = new Map<string, string>()
  for (const [key, field] of fieldsOf(form)) {
    const { name } = field
    const text = posted.has(name) ? formField(posted, name) : (before[name] ?? '')
    draft[name] = text
    const typed = typedValue(field, text)
    if (field.isOptional && (text === '' || isEmpty(typed))) continue
    value[key] = typed
    const [first] = field.shape.wrong(value[key])
    if (first) wrong.set(name, sentenceOf(field, first.must))
  }
  return { draft, value: value as V, wrong }
}

function fieldsOf(form: FormSchema<object>): Array<[key: string, field: SchemaField]> {
  return Object.entries(form)
}

function textOf({ unit }: SchemaField, value: unknown): string {
  if (value === undefined) return ''
  if (unit === 'ms') return durationWords(Number(value))
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function typedValue({ unit, schema }: SchemaField, text: string): unknown {
  if (unit === 'ms') return readDuration(text)
  if (schema.type === 'integer') return text === '' ? Number.NaN : Number(text)
  return schema.type === 'array' ? readList(text) : cleanLine(text)
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** Reads `work, phone` as a list of two texts, each of them once. */
export function readList(text: string): string[] {
  const texts = text.split(',').map(cleanLine)
  return [...new Set(texts)].filter((one) => one !== '')
}

function sentenceOf(field: SchemaField, must: string): string {
  const { unit, choices, schema } = field
  if (choices) return 'Choose one of those offered.'
  if (unit === 'ms') return `Must be a time like 45 s or 1 min, ${limitsOf(field)}`
  if (schema.type === 'integer') return `Must be a whole number, ${limitsOf(field)}`
  if (schema.type !== 'array') return `It ${must}.`
  return `At most ${schema.maxItems}, each of at most ${schema.items.maxLength} characters.`
}

/** The limits of a number in words: `1 s to 55 s.` */
export function limitsOf({ unit, schema: { minimum, maximum } }: SchemaField): string {
  if (unit !== 'ms') return `${minimum} to ${maximum}.`
  return `${durationWords(minimum)} to ${durationWords(maximum)}.`
}
