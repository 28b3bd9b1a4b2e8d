import { type FormSchema, type Wrong, wrongSchema } from '../../../packages/js/src/form.ts'
import { type WrongField, wrongFields } from '../../platform/failure.ts'
import { cleanLine, isBlank, MUST_BE_SEEN } from '../../platform/text.ts'
import { lookOf } from './letters.ts'

export type FormField = FormSchema['properties'][string]

/**
 * The schema of a form, whose texts are shown as they are; `at` is the field that it is in. Throws
 * `invalid_input` that names what is wrong.
 */
export function readSchema(schema: unknown, at = 'schema'): FormSchema {
  const inSchema = ({ field, must }: Wrong): WrongField => {
    return { field: field === '' ? at : `${at}.${field}`, must }
  }
  const wrong = wrongSchema(schema).map(inSchema)
  if (wrong.length > 0) throw wrongFields(wrong)
  const form = schema as FormSchema
  const unseen = Object.entries(form.properties).flatMap(([name, field]) => unseenIn(name, field))
  if (unseen.length > 0) throw wrongFields(unseen.map(inSchema))
  return form
}

/** Texts of a field that a person would not see as they are, and options that look alike. */
function unseenIn(name: string, field: FormField): Wrong[] {
  const { title, description } = field
  const path = `properties.${name}`
  const wrong = Object.entries({ title, description })
    .filter(([, text]) => text !== undefined && !isSeen(text))
    .map(([member]) => ({ field: `${path}.${member}`, must: MUST_BE_SEEN }))
  const choices = choicesOf(field) ?? []
  const at = field.type === 'array' ? `${path}.items.enum` : `${path}.enum`
  if (!choices.every(isSeen)) wrong.push({ field: at, must: MUST_BE_SEEN })
  if (new Set(choices.map(lookOf)).size < choices.length) {
    wrong.push({ field: at, must: 'must have options that look different from each other' })
  }
  return wrong
}

function isSeen(text: string): boolean {
  return !isBlank(text) && cleanLine(text) === text
}

/** The texts that a field is one of, or its items are. */
export function choicesOf(field: FormField): readonly string[] | undefined {
  if (field.type === 'array') return field.items.enum
  return 'enum' in field ? field.enum : undefined
}

/** The name of a field for people. */
export function labelOf(name: string, { title }: FormField): string {
  return title ?? name
}
