/** @jsxImportSource preact */
import {
  type Draft,
  FieldProblem,
  groupAttributes,
  type Wrong,
} from '../../../platform/web/form.tsx'
import type { SchemaField as Field, FieldNote } from '../../../platform/web/form-schema.ts'
import { SchemaField } from '../../../platform/web/schema-field.tsx'
import type { Person } from '../../accounts/model/person.ts'

// As many as a team needs; more that were named over REST get a field each.
const PLACES = 3
const ORDINALS = ['First', 'Second', 'Third']

/** The time of the fail-over, in the policy and in a rule. */
export const FAILOVER = {
  name: 'failover',
  title: 'Fail-over',
  unit: 'ms',
  help: 'A question without an answer after this time also goes to the next person. With 0 nobody else is told.',
} satisfies FieldNote

export const NEXT_TITLE = 'Who is told next'

type Props = { failover: Field; draft: Draft; wrong: Wrong; people: readonly Person[] }

/**
 * The fields for fail-over, which are the same in the policy and in a rule: after which time, and
 * who is told.
 */
export function FailOverFields({ failover, draft, wrong, people }: Props) {
  const ids = personIdsOf(draft)
  const places = Math.min(people.length, Math.max(PLACES, ids.length))
  return (
    <>
      <SchemaField field={failover} draft={draft} wrong={wrong} />
      <fieldset class="three" {...groupAttributes('next', wrong)}>
        <legend>{NEXT_TITLE}</legend>
        {Array.from({ length: places }, (_, at) => (
          <div class="field">
            <label for={`next-${at}`}>{ORDINALS[at] ?? `No. ${at + 1}`}</label>
            <select id={`next-${at}`} name="next">
              <option value="">Nobody</option>
              {people.map(({ id, name }) => (
                <option value={id} selected={ids[at] === id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        ))}
      </fieldset>
      <FieldProblem name="next" wrong={wrong} />
    </>
  )
}

/** The people who are named in a form, in its order, as the draft has them. */
export function nextIn(form: URLSearchParams): string {
  return form
    .getAll('next')
    .filter((id) => id !== '')
    .join(' ')
}

/** The ids of a draft. */
export function personIdsOf({ next = '' }: Draft): string[] {
  return next.split(' ').filter((id) => id !== '')
}

/** Checks the people who are named; undefined if each is one of ours, named once. */
export function wrongNext(ids: readonly string[], people: readonly Person[]): string | undefined {
  if (new Set(ids).size < ids.length) return 'Name each person once.'
  const areMembers = ids.every((id) => people.some((person) => person.id === id))
  return areMembers ? undefined : 'Choose people of this workspace.'
}
