/** @jsxImportSource preact */
import {
  type Draft,
  FieldFrame,
  FormField,
  formField,
  type Wrong,
} from '../../../platform/web/form.tsx'
import { isNameOfTarget } from '../../votes/model/target.ts'
import type { RuleApprove } from '../model/rule-approve.ts'
import { idOf, type Nameable, nobodyIs, withNames, wordOf } from './nameable.ts'

export const TELL_TITLE = 'Who is told'
export const ESCALATE_TITLE = 'Who else, while nobody decides'

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const STEPS_MAX = 10
const INFORM = 'inform'

type Props = { draft: Draft; wrong: Wrong; names: readonly Nameable[] }

/** Whom a rule tells, as words in lines: everything that can be named fits in, also without scripts. */
export function TellingFields({ draft, wrong, names }: Props) {
  const inWords = { ...draft, tell: withNames(draft.tell ?? '', names) }
  return (
    <>
      <FormField
        name="tell"
        label={TELL_TITLE}
        draft={inWords}
        wrong={wrong}
        offers={[...names.map(wordOf), 'owners']}
      >
        Whoever may decide, if it is empty. Otherwise groups, addresses, owners, oncall:NAME or
        channel:NAME, with commas.
      </FormField>
      <FieldFrame
        name="escalate"
        label={ESCALATE_TITLE}
        wrong={wrong}
        rule="A step in each line, counted from the question: 30m owners. Write 30m owners, inform for people who do not decide."
      >
        {(attributes) => (
          <textarea {...attributes} rows={3} placeholder="10m oncall:platform">
            {withNames(draft.escalate ?? '', names)}
          </textarea>
        )}
      </FieldFrame>
      <label class="check">
        <input type="checkbox" name="urgent" value="yes" checked={draft.urgent === 'yes'} />
        Urgent: tell people in their own quiet hours, too
      </label>
    </>
  )
}

export function tellingDraft({ tell = [], escalate = [], urgent }: RuleApprove): Draft {
  const lines = escalate.map(
    ({ afterMs, tell: who, inform }) =>
      `${timeOf(afterMs)} ${[...who, ...(inform ? [INFORM] : [])].join(', ')}`,
  )
  return { tell: tell.join(', '), escalate: lines.join('\n'), urgent: urgent ? 'yes' : '' }
}

function timeOf(ms: number): string {
  const unit = ['d', 'h', 'm'].find((one) => ms % (UNITS[one] ?? 1) === 0) ?? 'm'
  return `${ms / (UNITS[unit] ?? 1)}${unit}`
}

/** The fields of a posted form, or as they were where it has none. */
export function tellingIn(form: URLSearchParams, before: Draft): Draft {
  const { tell = '', escalate = '', urgent = '' } = before
  if (!form.has('escalate')) return { tell, escalate, urgent }
  return {
    tell: formField(form, 'tell'),
    escalate: formField(form, 'escalate'),
    urgent: formField(form, 'urgent') === 'yes' ? 'yes' : '',
  }
}

type Telling = Pick<RuleApprove, 'tell' | 'escalate' | 'urgent'>

/** Whom the typed text tells, and what of it stands for nobody. */
export function readTelling(
  { tell = '', escalate = '', urgent }: Draft,
  names: readonly Nameable[],
): { value: Telling; wrong: Map<string, string> } {
  const wrong = new Map<string, string>()
  const targetsIn = (text: string, field: string) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
      .map((word) => {
        const id = isNameOfTarget(word) ? word : idOf(word, names)
        if (id === undefined) wrong.set(field, nobodyIs(word))
        return id ?? word
      })
  const first = targetsIn(tell, 'tell')
  const lines = escalate.split('\n').filter((line) => line.trim() !== '')
  const steps = lines.flatMap((line) => {
    const [, digits, unit = '', rest = ''] = /^\s*(\d{1,5})\s*([mhd])[\s:]+(.*)$/.exec(line) ?? []
    if (digits === undefined) {
      wrong.set('escalate', 'Begin each line with a time: 10m, 2h or 1d, then who is told.')
      return []
    }
    const afterMs = Number(digits) * (UNITS[unit] ?? 1)
    const isInform = /(^|,)\s*inform\s*$/.test(rest)
    const who = targetsIn(rest.replace(/(^|,)\s*inform\s*$/, ''), 'escalate')
    if (afterMs === 0 || afterMs > 7 * 86_400_000 || who.length === 0) {
      wrong.set('escalate', 'Each line needs a time from 1m to 7d, and who is told.')
    }
    return [{ afterMs, tell: who, ...(isInform && { inform: true }) }]
  })
  if (steps.length > STEPS_MAX) wrong.set('escalate', `At most ${STEPS_MAX} lines.`)
  const value: Telling = {
    ...(first.length > 0 && { tell: first }),
    ...(steps.length > 0 && { escalate: steps }),
    ...(urgent === 'yes' && { urgent: true }),
  }
  return { value, wrong }
}
