import canonicalize from 'canonicalize'
import { type FormSchema, wrongValue } from '../../../../packages/js/src/form.ts'
import { Failure, type WrongField, wrongFields } from '../../../platform/failure.ts'
import { readJsonObject } from '../../../platform/json.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { cleanText, codePoints } from '../../../platform/text.ts'
import type { AskInput } from '../../wire/ask-fields.ts'
import { labelOf, readSchema } from '../../wire/form.ts'
import { cleanedValue, refuseForm, textOf } from './form-answer.ts'
import { actionOf } from './key.ts'
import { ANSWER_MAX, type Edit, type Question, type Values } from './question.ts'

/**
 * The arguments that the person may change, of those that are shown as JSON in `actionBody`. One that
 * is not shown as it is, because a secret was taken out or a letter that cannot be seen, stays as it
 * is. Throws `invalid_input` for what cannot be offered.
 */
export function readEdit(input: AskInput, stored: string | undefined): Edit | undefined {
  const schema = readSchema(input.edit, 'edit')
  const { type = 'confirm', questions, requestId, toolUseId } = input
  const isAction = toolUseId === undefined && /^action:[^:]/.test(requestId ?? '')
  if (questions || type !== 'confirm') throw wrongEdit('must be left out unless type is confirm')
  if (!isAction) throw wrongEdit('must go with a requestId that is action:HASH')
  const all = readJsonObject(input.actionBody ?? '')
  if (!all) throw wrongEdit('must go with an actionBody that is the arguments as a JSON object')
  // A missing argument may be filled in; null stands for it.
  const names = Object.keys(schema.properties)
  const values = pick(all, (name, value) => names.includes(name) && value !== null)
  const wrong = wrongValue({ ...schema, required: [] }, values)
  if (wrong.length > 0) {
    throw wrongFields(wrong.map(({ field, must }) => ({ field: `actionBody.${field}`, must })))
  }
  const visible = readJsonObject(stored ?? '') ?? {}
  const isSeen = (name: string) => isSame(visible[name], all[name]) && isVisible(all[name])
  const properties = pick(schema.properties, isSeen) as FormSchema['properties']
  if (Object.keys(properties).length === 0) return undefined
  const required = schema.required?.filter((name) => Object.hasOwn(properties, name)) ?? []
  return { schema: { ...schema, properties, required }, values: pick(values, isSeen) }
}

/** True if nothing in a value turns or hides text, also where JSON has it as `\\u202e`. */
function isVisible(value: unknown): boolean {
  const texts = [value].flat().filter((one) => typeof one === 'string')
  return texts.every((text) => cleanText(text) === text.replace(/\r\n?/g, '\n'))
}

function wrongEdit(must: string): Failure {
  return wrongFields([{ field: 'edit', must }])
}

function pick(of: Values, is: (name: string, value: unknown) => boolean): Values {
  return Object.fromEntries(Object.entries(of).filter(([name, value]) => is(name, value)))
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalize(one) === canonicalize(other)
}

/**
 * The values of all arguments that may be changed, as the person wants them in their yes; undefined if
 * they changed none. Throws `invalid_answer` for an argument that may not be changed, or not so far.
 */
export function readEdited(
  { detail: { edit } }: Pick<Question, 'detail'>,
  value: string,
  changes: Values | undefined,
): Values | undefined {
  if (changes === undefined) return undefined
  if (!edit || value !== 'yes') throw refuseArguments(NOT_HERE)
  const { schema, values } = edit
  const clean = cleanedValue(changes) as Values
  // What is as it was stays so to the letter.
  const own = Object.entries(clean).map(([name, one]) => {
    const before = values[name]
    return [name, isSame(one, cleanedValue(before)) ? before : one] as const
  })
  const edited = { ...values, ...Object.fromEntries(own) }
  const wrong = wrongValue({ ...schema, required: [] }, edited)
  if (wrong.length > 0) throw refuseForm(schema, wrong, 'arguments')
  if (codePoints(JSON.stringify(edited)) > ANSWER_MAX) {
    throw refuseArguments(`They have more than ${ANSWER_MAX} characters as JSON.`)
  }
  return isSame(edited, values) ? undefined : edited
}

const NOT_HERE = 'Nothing of this may be changed with this answer.'

export function refuseArguments(why: string): Failure {
  const fields: WrongField[] = [{ field: 'arguments', must: 'must be left out' }]
  return new Failure('invalid_answer', `The arguments were not changed. ${why}`, { fields })
}

/** The digest of what a yes allows: of the action, or of it with what the person changed. */
export function permittedAction(question: Pick<Question, 'key' | 'detail'>): string | undefined {
  const action = actionOf(question)
  const { edited } = question.detail
  return edited ? sha256(canonicalize({ action, edited }) ?? '') : action
}

/** The answer for its agent: a yes with changes is the JSON text of their values, so never a plain yes. */
export function valueOnWire({
  value,
  detail,
}: Pick<Question, 'value' | 'detail'>): string | undefined {
  return detail.edited ? JSON.stringify(detail.edited) : value
}

type Change = { label: string; before: string | undefined; after: string }

/** What the person changed, for people. */
export function changesIn({ schema, values }: Edit, edited: Values): Change[] {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const [before, after] = [values[name], edited[name]]
    if (after === undefined || isSame(before, after)) return []
    return [
      {
        label: labelOf(name, field),
        before: before === undefined ? undefined : textOf(before),
        after: textOf(after),
      },
    ]
  })
}

/** The question as it is about the changed arguments, for people. */
export function asEdited<Q extends Pick<Question, 'detail'>>(
  question: Q,
  edited: Values | undefined,
): Q {
  const all = edited && readJsonObject(question.detail.actionBody ?? '')
  if (!all) return question
  const actionBody = JSON.stringify({ ...all, ...edited }, undefined, 2)
  return { ...question, detail: { ...question.detail, actionBody } }
}
