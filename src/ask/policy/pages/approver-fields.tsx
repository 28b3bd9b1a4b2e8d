/** @jsxImportSource preact */
import {
  type Draft,
  FieldFrame,
  FieldProblem,
  FormField,
  formField,
  groupAttributes,
  type Wrong,
} from '../../../platform/web/form.tsx'
import type { Person } from '../../accounts/model/person.ts'
import type { Group } from '../../groups/model/group.ts'
import { chosenFirst } from '../../pages/chosen-first.ts'
import { SafeText } from '../../pages/marked.tsx'
import { FRESH, type Fresh } from '../../votes/model/requirement.ts'
import { NEED_MAX, type RuleApprove } from '../model/rule-approve.ts'
import { AndField, andDraft, andIn, readAnd, TimesFields } from './and-fields.tsx'
import type { Nameable } from './nameable.ts'
import { readTelling, TellingFields, tellingDraft, tellingIn } from './telling-fields.tsx'

export const APPROVER_TITLE = 'Who may decide'
export const NEED_TITLE = 'How many of them'
export const FRESH_TITLE = 'How they prove that it is them'

type Props = {
  draft: Draft
  wrong: Wrong
  groups: readonly Group[]
  people: readonly Person[]
  /** What the rule asks for that the form has no fields for. */
  more: string
}

/** The fields that say who has to agree; without a check anybody answers. */
export function ApproverFields({ draft, wrong, groups, people, more }: Props) {
  const checked = idsIn(draft)
  const byName = people.filter(({ id }) => checked.includes(id))
  const names = [...groups, ...people]
  return (
    <>
      <input type="hidden" name="approvers" value="yes" />
      <fieldset class="switches" {...groupAttributes('approver', wrong)}>
        <legend>{APPROVER_TITLE}</legend>
        {groups.length === 0 && byName.length === 0 && (
          <p class="rule">
            Anybody, as there are no groups yet. <a href="/settings/groups">Add a group</a> first.
          </p>
        )}
        {chosenFirst([...groups, ...byName], new Set(checked)).map(({ id, name }) => (
          <label>
            <input type="checkbox" name="approver" value={id} checked={checked.includes(id)} />
            <SafeText text={name} />
          </label>
        ))}
        {groups.length > 0 && (
          <label>
            <input type="checkbox" name="asker" value="counts" checked={draft.asker === 'counts'} />
            Also whoever owns the agent that asks
          </label>
        )}
      </fieldset>
      <FieldProblem name="approver" wrong={wrong} />
      {groups.length > 0 && (
        <FormField
          name="need"
          label={NEED_TITLE}
          type="number"
          min={1}
          max={NEED_MAX}
          draft={draft}
          wrong={wrong}
        >
          Different people, each signed in. One no ends it.
        </FormField>
      )}
      {groups.length > 0 && <AndField draft={draft} wrong={wrong} names={names} />}
      {groups.length > 0 && (
        <FieldFrame name="fresh" label={FRESH_TITLE} wrong={wrong} rule="A no needs nothing more.">
          {(attributes) => (
            <select {...attributes}>
              {Object.entries(FRESH_WORDS).map(([value, words]) => (
                <option value={value} selected={(draft.fresh ?? '') === value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </FieldFrame>
      )}
      {groups.length > 0 && <TellingFields draft={draft} wrong={wrong} names={names} />}
      {groups.length > 0 && <TimesFields draft={draft} wrong={wrong} />}
      {more !== '' && (
        <p class="rule">
          <SafeText text={more} />
        </p>
      )}
    </>
  )
}

const FRESH_WORDS: Record<Fresh | '', string> = {
  '': 'They are signed in',
  sign_in: 'They signed in within the last 15 minutes',
  passkey: 'A passkey signs the question and the answer',
}

export function approveDraft(approve: RuleApprove | undefined): Draft {
  if (!approve) return {}
  const { from, need = 1, asker = 'excluded', fresh = '' } = approve
  const more = { ...andDraft(approve), ...tellingDraft(approve) }
  return { approver: from.join(' '), need: String(need), asker, fresh, ...more }
}

/** The fields of a posted form, or as they were where it has none. */
export function approveIn(form: URLSearchParams, before: Draft): Draft {
  const more = { ...andIn(form, before), ...tellingIn(form, before) }
  if (!form.has('approvers')) {
    const { approver = '', need = '', asker = '', fresh = '' } = before
    return { approver, need, asker, fresh, ...more }
  }
  return {
    approver: form.getAll('approver').join(' '),
    need: formField(form, 'need'),
    asker: formField(form, 'asker') === 'counts' ? 'counts' : 'excluded',
    fresh: form.has('fresh') ? formField(form, 'fresh') : (before.fresh ?? ''),
    ...more,
  }
}

export function approveOf(
  draft: Draft,
  before: RuleApprove | undefined,
  names: readonly Nameable[],
): RuleApprove | undefined {
  const from = idsIn(draft)
  if (from.length === 0) return undefined
  const asker = draft.asker === 'counts' ? 'counts' : 'excluded'
  // Only what the form has no fields for; the rest is as it was typed.
  const { no, except, where } = before ?? {}
  const others = { ...(no && { no }), ...(except && { except }), ...(where && { where }) }
  const fresh = FRESH.find((one) => one === draft.fresh)
  const more = { ...readAnd(draft, names).value, ...readTelling(draft, names).value }
  const need = Number(draft.need || 1)
  return { ...others, from, need, asker, ...(fresh && { fresh }), ...more }
}

export function wrongApprove(draft: Draft, names: readonly Nameable[]): Map<string, string> {
  const need = Number(draft.need || 1)
  const isFine = Number.isInteger(need) && need >= 1 && need <= NEED_MAX
  if (idsIn(draft).length === 0) {
    const isAlone = (draft.and ?? '').trim() !== ''
    return new Map(isAlone ? [['approver', 'Choose who may decide, besides who else has to.']] : [])
  }
  const wrong = new Map([...readAnd(draft, names).wrong, ...readTelling(draft, names).wrong])
  if (!isFine) wrong.set('need', `It must be a whole number from 1 to ${NEED_MAX}.`)
  return wrong
}

function idsIn({ approver = '' }: Draft): string[] {
  return approver.split(' ').filter((id) => id !== '')
}
