/** @jsxImportSource preact */
import { Type } from '@sinclair/typebox'
import { type Draft, FieldFrame, formField, type Wrong } from '../../../platform/web/form.tsx'
import { draftOf, formSchema, readFields, titlesOf } from '../../../platform/web/form-schema.ts'
import { SchemaFields } from '../../../platform/web/schema-field.tsx'
import { NEED_MAX, RuleApprove } from '../model/rule-approve.ts'
import { idOf, type Nameable, nobodyIs, withNames } from './nameable.ts'

const LINES_MAX = 4

const TIMES = formSchema(Type.Pick(RuleApprove, ['lifeMs', 'usableMs']), {
  lifeMs: { name: 'life', title: 'How long it stays open', unit: 'ms', placeholder: '4 h' },
  usableMs: {
    ...{ name: 'usable', title: 'How long a yes may be used', unit: 'ms', placeholder: '15 min' },
    help: 'Once.',
  },
})

/** The titles of these fields, by the names of their inputs. */
export const AND_TITLES = { and: 'Who else has to agree', ...titlesOf(TIMES) }

type Props = { draft: Draft; wrong: Wrong; names: readonly Nameable[] }

/** Who has to agree as well, as words in lines. */
export function AndField({ draft, wrong, names }: Props) {
  return (
    <FieldFrame
      name="and"
      label={AND_TITLES.and}
      wrong={wrong}
      rule="In each line how many, and of which groups or addresses. Nobody counts twice."
    >
      {(attributes) => (
        <textarea {...attributes} rows={2} placeholder="1 of managers">
          {withNames(draft.and ?? '', names)}
        </textarea>
      )}
    </FieldFrame>
  )
}

/** How long such a question is open, and its yes counts. */
export function TimesFields({ draft, wrong }: Omit<Props, 'names'>) {
  return (
    <div class="two">
      <SchemaFields of={[TIMES.lifeMs, TIMES.usableMs]} draft={draft} wrong={wrong} />
    </div>
  )
}

export function andDraft({ and = [], lifeMs, usableMs }: RuleApprove): Draft {
  const lines = and.map(({ from, need = 1 }) => `${need} of ${from.join(', ')}`)
  return { and: lines.join('\n'), ...draftOf(TIMES, { lifeMs, usableMs }) }
}

/** The fields of a posted form, or as they were where it has none. */
export function andIn(form: URLSearchParams, before: Draft): Draft {
  const and = form.has('and') ? formField(form, 'and') : (before.and ?? '')
  return { and, ...readFields(TIMES, form, before).draft }
}

type More = Pick<RuleApprove, 'and' | 'lifeMs' | 'usableMs'>

/** What the typed text asks for, and what of it cannot be. */
export function readAnd(
  draft: Draft,
  names: readonly Nameable[],
): { value: More; wrong: Map<string, string> } {
  const times = readFields(TIMES, new URLSearchParams(), draft)
  const wrong = new Map(times.wrong)
  const lines = (draft.and ?? '').split('\n').filter((line) => line.trim() !== '')
  const and = lines.map((line) => {
    const [, digits = '', rest = ''] = /^\s*(\d{1,2})\s+(?:of\s+)?(.*)$/.exec(line) ?? []
    const words = rest.split(',').map((word) => word.trim())
    const from = words.filter((word) => word !== '').map((word) => idOf(word, names) ?? word)
    const unknown = from.find((id) => !names.some((one) => one.id === id))
    if (unknown !== undefined) wrong.set('and', nobodyIs(unknown))
    const need = Number(digits)
    if (need < 1 || need > NEED_MAX || from.length === 0) {
      wrong.set('and', `Begin each line with a number from 1 to ${NEED_MAX}: 1 of managers.`)
    }
    return { from, need }
  })
  if (and.length > LINES_MAX) wrong.set('and', `At most ${LINES_MAX} lines.`)
  return { value: { ...times.value, ...(and.length > 0 && { and }) }, wrong }
}
