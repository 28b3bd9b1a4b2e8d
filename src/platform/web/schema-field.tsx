/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import {
  type Draft,
  FieldFrame,
  FieldProblem,
  FormField,
  groupAttributes,
  type Wrong,
} from './form.tsx'
import { type SchemaField as Field, limitsOf } from './form-schema.ts'

type Props = {
  field: Field
  draft: Draft
  wrong: Wrong
  /** Suggestions that the browser offers. */
  offers?: readonly string[]
  /** Sentences after the help of the field. */
  children?: ComponentChildren
}

/**
 * The input of one property: a list for a choice that may be left out, buttons for one that may
 * not, otherwise a line of text, a number or a time.
 */
export function SchemaField({ field, draft, wrong, offers = [], children }: Props) {
  if (field.choices && field.isOptional) return <Selection field={field} {...{ draft, wrong }} />
  if (field.choices) return <Buttons field={field} {...{ draft, wrong }} />
  const { name, title, unit, type, schema } = field
  const { maxLength, placeholder } = { ...(unit ? TIME : {}), ...field }
  const isNumber = schema.type === 'integer' && !unit
  return (
    <FormField
      name={name}
      label={title}
      type={isNumber ? 'number' : (type ?? 'text')}
      {...(isNumber ? { min: schema.minimum, max: schema.maximum } : {})}
      {...(maxLength === undefined ? {} : { maxLength })}
      {...(placeholder === undefined ? {} : { placeholder })}
      offers={offers}
      draft={draft}
      wrong={wrong}
    >
      {ruleOf(field, children)}
    </FormField>
  )
}

const TIME = { placeholder: '45 s', maxLength: 40 }

/** Several fields, one after the other. */
export function SchemaFields(props: { of: readonly Field[]; draft: Draft; wrong: Wrong }) {
  const { of: fields, ...typed } = props
  return fields.map((field) => <SchemaField field={field} {...typed} />)
}

/** The help of a field, its limits and `more`, as sentences; undefined for a field without any. */
function ruleOf(field: Field, more: ComponentChildren): ComponentChildren {
  const sentences = [field.help, field.unit && limitsOf(field), more].filter(Boolean)
  if (sentences.length === 0) return undefined
  return sentences.flatMap((sentence, at) => (at === 0 ? [sentence] : [' ', sentence]))
}

type ChoiceProps = Pick<Props, 'field' | 'draft' | 'wrong'>

function Selection({ field, draft, wrong }: ChoiceProps) {
  const { name, title, help, none, choices = {} } = field
  return (
    <FieldFrame name={name} label={title} rule={help} wrong={wrong}>
      {(attributes) => (
        <select {...attributes}>
          <option value="">{none}</option>
          {Object.entries(choices).map(([value, choice]) => (
            <option value={value} selected={draft[name] === value}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

function Buttons({ field: { name, title, choices = {} }, draft, wrong }: ChoiceProps) {
  return (
    <>
      <fieldset class="choices" {...groupAttributes(name, wrong)}>
        <legend>{title}</legend>
        {Object.entries(choices).map(([value, choice]) => (
          <label class="choice">
            <input type="radio" name={name} value={value} checked={draft[name] === value} />
            <span class="choice-text">
              <b>{choice.name}</b>
              <small>{choice.what}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <FieldProblem name={name} wrong={wrong} />
    </>
  )
}
