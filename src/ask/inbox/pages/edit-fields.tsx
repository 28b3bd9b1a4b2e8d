/** @jsxImportSource preact */

import canonicalize from 'canonicalize'
import type { FormSchema } from '../../../../packages/js/src/form.ts'
import { Failure } from '../../../platform/failure.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { Wrong } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { href } from '../../pages/paths.ts'
import { ToolChanges } from '../../pages/tool-changes.tsx'
import { changesIn, readEdited, refuseArguments } from '../../questions/model/edit.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Edit, Question, Values } from '../../questions/model/question.ts'
import { needOf } from '../../votes/model/requirement.ts'
import { choicesOf, type FormField, labelOf } from '../../wire/form.ts'
import { defaultTexts, type FormDraft, FormFields, memberOf } from './form-fields.tsx'

/** What was typed and chosen, as far as it is about arguments. */
type EditDraft = {
  values: readonly string[]
  fields?: FormDraft | undefined
  wrong?: Wrong
  isEdit?: boolean
}

type EditProps = { question: Question; draft: EditDraft; whole: boolean }

/** The arguments that may be changed before a yes; nothing where several people have to agree. */
export function EditFields({ question, draft, whole }: EditProps) {
  const { edit } = question.detail
  if (!edit || !mayEdit(question)) return null
  if (!whole) return <EditLink id={question.id} />
  const names = Object.entries(edit.schema.properties).map(([name, field]) => labelOf(name, field))
  return (
    <details class="scope-edit" open={draft.isEdit === true}>
      <summary>
        <Icon name="settings" />
        Change it first
      </summary>
      <p class="rule">
        Only {names.join(', ')} can be changed. You see the difference before it counts.
      </p>
      <input type="hidden" name="editing" value="yes" />
      <FormFields
        id={question.id}
        form={filledIn(edit)}
        draft={draft.isEdit ? (draft.fields ?? {}) : undefined}
        wrong={draft.wrong ?? new Map()}
        isFilledIn
      />
    </details>
  )
}

/** A card has no room for them. */
function EditLink({ id }: Pick<Question, 'id'>) {
  return (
    <p class="soft">
      <a href={href.decide(id)}>Change it first</a>
    </p>
  )
}

function mayEdit({ requirement }: Question): boolean {
  return !requirement || needOf(requirement) === 1
}

/** The form with the values of now. A text or a list may be emptied, what is there cannot be left out. */
function filledIn({ schema, values }: Edit): FormSchema {
  const properties = Object.entries(schema.properties).map(
    ([name, field]) => [name, { ...field, default: values[name] } as FormField] as const,
  )
  const required = properties.flatMap(([name, field]) =>
    values[name] === undefined || isEmptiable(field) ? [] : [name],
  )
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function isEmptiable(field: FormField): boolean {
  return (
    field.type === 'array' || (field.type === 'string' && !choicesOf(field) && !('format' in field))
  )
}

/** The arguments that were changed in a draft; undefined where none could be. */
export function draftChanges({ detail }: Question, draft: EditDraft): Values | undefined {
  const { edit } = detail
  if (!edit || !draft.isEdit || draft.values[0] !== 'yes') return undefined
  const form = filledIn(edit)
  const changes = Object.entries(form.properties).flatMap(([name, field]) => {
    const texts = (draft.fields?.[name] ?? []).map((text) => text.replace(/\r\n?/g, '\n'))
    if (sameTexts(texts, defaultTexts(field))) return []
    const filled = texts.filter((text) => text.trim() !== '')
    if (filled.length > 0) return [[name, memberOf(field, filled)] as const]
    return edit.values[name] === undefined ? [] : [[name, emptyOf(field)] as const]
  })
  return Object.fromEntries(changes)
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const look = (texts: readonly string[]) => texts.map((text) => text.trim()).filter(Boolean)
  return JSON.stringify(look(one)) === JSON.stringify(look(other))
}

/** What an emptied field stands for; the check of all fields refuses null. */
function emptyOf(field: FormField): unknown {
  if (!isEmptiable(field)) return null
  return field.type === 'array' ? [] : ''
}

/** Throws `invalid_answer` for changes that cannot be made. */
export function checkChanges(question: Question, draft: EditDraft): void {
  const edited = readEdited(question, draft.values[0] ?? '', draftChanges(question, draft))
  if (edited && !mayEdit(question))
    throw refuseArguments('Several people decide about the same call.')
}

/** The values with what was changed, if that can be: what a yes would be for. */
export function draftEdited(question: Question, draft: EditDraft): Values | undefined {
  try {
    return readEdited(question, draft.values[0] ?? '', draftChanges(question, draft))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const SHOWN = 'difference'

/** True for a yes with changes whose difference was not shown: just these are what it is for. */
export function mustShowDifference(
  question: Question,
  draft: EditDraft,
  form: URLSearchParams,
  now: number,
): boolean {
  if (statusAt(question, now) !== 'pending') return false
  const edited = draftEdited(question, draft)
  return edited !== undefined && form.get(SHOWN) !== digestOf(edited)
}

function digestOf(edited: Values): string {
  return sha256(canonicalize(edited) ?? '')
}

/** The changes once more, hidden, and which of them were shown. */
export function HiddenEdit({ draft, edited }: { draft: EditDraft; edited: Values }) {
  return (
    <>
      <input type="hidden" name="editing" value="yes" />
      <input type="hidden" name={SHOWN} value={digestOf(edited)} />
      {Object.entries(draft.fields ?? {}).flatMap(([name, texts]) =>
        texts.map((text) => <input type="hidden" name={`f.${name}`} value={text} />),
      )}
    </>
  )
}

/** What the person changed: before beside after. */
export function EditedValues({ edit, edited }: { edit: Edit; edited: Values }) {
  const changes = changesIn(edit, edited)
  return (
    <ToolChanges
      changes={changes.map(({ label: part, before = '', after }) => ({ part, before, after }))}
    />
  )
}
