/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { FormSchema } from '../../../../packages/js/src/form.ts'
import { FieldFrame, FieldProblem, type Wrong } from '../../../platform/web/form.tsx'
import { choicesOf, type FormField, labelOf } from '../../wire/form.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** What was typed and chosen in a form, by the names of its fields. */
export type FormDraft = Readonly<Record<string, readonly string[]>>

const PREFIX = 'f.'

/** The fields of a posted form; undefined where none was posted. */
export function readFormDraft(form: URLSearchParams): FormDraft | undefined {
  const names = [...new Set(form.keys())].filter((name) => name.startsWith(PREFIX))
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [name.slice(PREFIX.length), form.getAll(name)]))
}

/**
 * The answer to a form as JSON. A field that was left empty is left out, and what is no number stays
 * text: the check of all fields names it.
 */
export function formJson({ properties }: FormSchema, draft: FormDraft): string {
  const members = Object.entries(properties).flatMap(([name, field]) => {
    const texts = (draft[name] ?? []).map((text) => text.trim()).filter((text) => text !== '')
    return texts.length === 0 ? [] : [[name, memberOf(field, texts)] as const]
  })
  return JSON.stringify(Object.fromEntries(members))
}

export function memberOf({ type }: FormField, texts: readonly string[]): unknown {
  const [text = ''] = texts
  if (type === 'array') return texts.flatMap(linesOf)
  if (type === 'boolean') return text === 'yes' ? true : text === 'no' ? false : text
  if (type === 'string') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

type Props = {
  id: QuestionId
  form: FormSchema
  draft: FormDraft | undefined
  /** What is wrong with the draft, by the names of the fields. */
  wrong: Wrong
  /** Their values are there already: nothing says that one may be left out. */
  isFilledIn?: boolean
}

/** The form of a question, with the browser's own inputs. */
export function FormFields({ id, form, draft, wrong, isFilledIn = false }: Props) {
  const required = form.required ?? []
  return (
    <>
      {Object.entries(form.properties).map(([name, field]) => (
        <Field
          id={`f-${id}-${name}`}
          name={PREFIX + name}
          label={`${labelOf(name, field)}${isFilledIn || required.includes(name) ? '' : ' (optional)'}`}
          field={field}
          texts={draft?.[name] ?? (draft ? [] : defaultTexts(field))}
          required={required.includes(name)}
          wrong={new Map([...wrong].map(([key, must]) => [PREFIX + key, must]))}
        />
      ))}
    </>
  )
}

export function defaultTexts(field: FormField): readonly string[] {
  const { default: value } = field
  if (value === undefined) return []
  if (Array.isArray(value)) return choicesOf(field) ? value : [value.join('\n')]
  return [value === true ? 'yes' : value === false ? 'no' : String(value)]
}

type FieldProps = {
  id: string
  name: string
  label: string
  field: FormField
  texts: readonly string[]
  required: boolean
  wrong: Wrong
}

// As many as a phone shows without scrolling.
const RADIOS_MAX = 4

function Field(props: FieldProps) {
  const { field } = props
  const choices = choicesOf(field)
  if (field.type === 'boolean') return <Group {...props} choices={YES_NO} />
  if (choices && (field.type === 'array' || choices.length <= RADIOS_MAX)) {
    return <Group {...props} choices={choices.map((one) => [one, one])} />
  }
  const { id, name, label, required, wrong } = props
  return (
    <FieldFrame id={id} name={name} label={label} rule={ruleOf(field)} wrong={wrong}>
      {(attributes) => (
        <Control {...props} attributes={{ ...attributes, required }} choices={choices} />
      )}
    </FieldFrame>
  )
}

const YES_NO = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

function ruleOf({ type, description }: FormField): ComponentChildren {
  const several = type === 'array' ? 'One on each line.' : undefined
  return [description, several].filter(Boolean).join(' ') || undefined
}

type ControlProps = FieldProps & { attributes: object; choices: readonly string[] | undefined }

/** One line, where all of it fits into one. */
const LINE_MAX = 100

function Control({ field, texts, attributes, choices }: ControlProps) {
  const [text = ''] = texts
  if (choices) {
    return (
      <select {...attributes}>
        <option value="">Choose…</option>
        {choices.map((one) => (
          <option value={one} selected={one === text}>
            {one}
          </option>
        ))}
      </select>
    )
  }
  if (field.type === 'number' || field.type === 'integer') {
    const { minimum: min, maximum: max } = field
    const [step, mode] = field.type === 'integer' ? ['1', 'numeric'] : ['any', 'decimal']
    return (
      <input
        {...attributes}
        type="number"
        value={text}
        {...{ min, max, step }}
        inputMode={mode as 'decimal'}
      />
    )
  }
  if ('format' in field) return <input {...attributes} type="date" value={text} />
  const limits = 'maxLength' in field || 'minLength' in field ? lengths(field) : {}
  if (limits.maxLength !== undefined && limits.maxLength <= LINE_MAX && !text.includes('\n')) {
    return (
      <input {...attributes} type="text" dir="auto" value={text} autocomplete="off" {...limits} />
    )
  }
  return (
    <textarea {...attributes} dir="auto" rows={field.type === 'array' ? 3 : 2} {...limits}>
      {texts.join('\n')}
    </textarea>
  )
}

function lengths(field: { minLength?: number; maxLength?: number }) {
  const { minLength, maxLength } = field
  return { ...(minLength && { minLength }), ...(maxLength !== undefined && { maxLength }) }
}

type GroupProps = FieldProps & { choices: ReadonlyArray<readonly [string, string]> }

/** Choices side by side with their own labels: one of them, or for a list several. */
function Group({ id, name, label, field, texts, required, wrong, choices }: GroupProps) {
  const { description } = field
  const several = field.type === 'array'
  const about = [description && `${id}-rule`, wrong.has(name) && `${id}-wrong`].filter(Boolean)
  return (
    <fieldset class="choices group" id={id} aria-describedby={about.join(' ') || undefined}>
      <legend>{label}</legend>
      {description && (
        <p class="rule" id={`${id}-rule`}>
          {description}
        </p>
      )}
      {choices.map(([value, words]) => (
        <label class="choice">
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            value={value}
            required={required && !several}
            checked={texts.includes(value)}
          />
          <span class="choice-text" dir="auto">
            <b>{words}</b>
          </span>
        </label>
      ))}
      <FieldProblem name={name} id={id} wrong={wrong} />
    </fieldset>
  )
}
