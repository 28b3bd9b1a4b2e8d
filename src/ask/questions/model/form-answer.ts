import { type FormSchema, wrongValue } from '../../../../packages/js/src/form.ts'
import { Failure, type WrongField } from '../../../platform/failure.ts'
import { cleanText, codePoints } from '../../../platform/text.ts'
import { labelOf } from '../../wire/form.ts'
import { ANSWER_MAX } from './question.ts'

/**
 * The answer to a form as it is stored: the JSON of its fields, in their order. Throws
 * `invalid_answer` that names each wrong field.
 */
export function readFormAnswer(form: FormSchema, text: string | string[]): string {
  const value = parse(text)
  const wrong = wrongValue(form, value)
  if (wrong.length > 0) throw refuseForm(form, wrong)
  const names = Object.keys(form.properties).filter((name) => Object.hasOwn(value as object, name))
  const members = value as Record<string, unknown>
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, members[name]])))
  if (codePoints(json) <= ANSWER_MAX) return json
  const must = `must have at most ${ANSWER_MAX} characters as JSON`
  throw refuseForm(form, [{ field: '', must }])
}

function parse(text: string | string[]): unknown {
  try {
    return cleanedValue(JSON.parse([text].flat().join('\n')))
  } catch {
    return undefined
  }
}

/** The value, its texts without what hides or turns text. */
export function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanedValue(one)]))
}

/** Names what is wrong with the fields; `at` is the member that they are in. */
export function refuseForm(form: FormSchema, wrong: WrongField[], at = 'value'): Failure {
  const sentences = wrong.map(({ field, must }) => `${nameOf(form, field)} ${must}`)
  return new Failure('invalid_answer', `${sentences.join('; ')}.`, {
    fields: wrong.map(({ field, must }) => ({ field: field ? `${at}.${field}` : at, must })),
  })
}

function nameOf({ properties }: FormSchema, name: string): string {
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined
  return name === '' ? 'The answer' : field ? labelOf(name, field) : name
}

/** A stored answer for people, field by field. */
export function formLines(form: FormSchema, json: string): { label: string; text: string }[] {
  const value = JSON.parse(json) as Record<string, unknown>
  return Object.entries(form.properties).flatMap(([name, field]) => {
    if (!Object.hasOwn(value, name)) return []
    return [{ label: labelOf(name, field), text: textOf(value[name]) }]
  })
}

export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
