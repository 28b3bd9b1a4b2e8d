/** @jsxImportSource preact */
import { DurationField } from '../../../platform/web/duration-field.tsx'
import { type Draft, FieldProblem, type Wrong } from '../../../platform/web/form.tsx'
import type { Person } from '../../accounts/model/person.ts'
import { FAILOVER_LIMITS } from '../model/policy.ts'

// As many as a team needs; more that were named over REST get a field each.
const PLACES = 3
const ORDINALS = ['First', 'Second', 'Third']

type Props = { draft: Draft; wrong: Wrong; people: readonly Person[]; off: string }

/**
 * The fields for fail-over, which are the same in the policy and in a rule: after which time, and
 * who is told.
 */
export function FailOverFields({ draft, wrong, people, off }: Props) {
  const ids = personIdsOf(draft)
  const places = Math.min(people.length, Math.max(PLACES, ids.length))
  return (
    <>
      <DurationField
        name="failover"
        label={FAILOVER_LABELS.failover}
        draft={draft}
        wrong={wrong}
        {...FAILOVER_LIMITS}
      >
        A question without an answer after this time also goes to the next person. {off}
      </DurationField>
      <fieldset class="three" id="next">
        <legend>{FAILOVER_LABELS.next}</legend>
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

export const FAILOVER_LABELS = { failover: 'Fail-over', next: 'Who is told next' }

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
