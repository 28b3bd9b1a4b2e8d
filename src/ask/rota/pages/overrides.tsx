/** @jsxImportSource preact */

import {
  type Draft,
  FieldProblem,
  FormField,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Adding } from '../../../platform/web/page-parts.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Crew } from '../model/on-call.ts'
import { nameIn } from '../model/on-call.ts'
import type { Override, Rota } from '../model/rota.ts'
import type { OverrideDraft } from '../override-rota.ts'
import { rotaHref } from '../paths.ts'
import type { RotaState } from '../read-on-call.ts'

const LABELS: Record<string, string> = { person: 'Who', starts: 'From', ends: 'To' }
const TIMES = ['startsDay', 'startsTime', 'endsDay', 'endsTime'] as const
export const OVERRIDE_FIELDS = ['person', 'act', ...TIMES] as const

/** What the form says. */
export function draftOfOverride(draft: Draft): OverrideDraft {
  const { person: personId = '', startsDay, startsTime, endsDay, endsTime } = draft
  return {
    personId,
    kind: draft.act === 'away' ? 'away' : 'takes',
    starts: `${startsDay}T${startsTime}`,
    ends: `${endsDay}T${endsTime}`,
  }
}

type Props = {
  state: RotaState
  crew: Crew
  moment: Moment
  changes: boolean
  draft: Draft
  wrong: Wrong
}

/** Who takes a time over or is away, and the form for one more. */
export function Overrides({ state, crew, moment, changes, draft, wrong }: Props) {
  const { rota, overrides } = state
  return (
    <section class="part" aria-labelledby="overrides-title">
      <h2 id="overrides-title">Takeovers and vacations</h2>
      {changes && (
        <Adding name="Add one" open={wrong.size > 0}>
          <OverrideForm rota={rota} crew={crew} draft={draft} wrong={wrong} />
        </Adding>
      )}
      {overrides.length === 0 && <p class="soft">Nobody takes over or is away.</p>}
      <ul class="rows">
        {overrides.map((override) => (
          <OverrideRow {...{ rota, override, crew, moment, changes }} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = {
  rota: Rota
  override: Override
  crew: Crew
  moment: Moment
  changes: boolean
}

function OverrideRow({ rota, override, crew, moment, changes }: RowProps) {
  const { id, personId, kind, from, to } = override
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <SafeText text={nameIn(crew, personId)} /> {kind === 'takes' ? 'takes over' : 'is away'}
        </span>
        <span class="row-sub">
          <AtTime at={from} moment={moment} /> to <AtTime at={to} moment={moment} />
        </span>
      </div>
      {changes && (
        <form method="post" action={rotaHref.removeOverride(rota.id)} class="row-side">
          <input type="hidden" name="override" value={id} />
          <button type="submit" class="small">
            Take back
          </button>
        </form>
      )}
    </li>
  )
}

type FormProps = { rota: Rota; crew: Crew; draft: Draft; wrong: Wrong }

function OverrideForm({ rota, crew, draft, wrong }: FormProps) {
  const people = [...crew.values()].filter(({ isAbsent }) => !isAbsent)
  return (
    <form method="post" action={rotaHref.overrides(rota.id)} class="requests">
      <WrongFields wrong={wrong} labels={LABELS} />
      <div class="field">
        <label for="person">Who</label>
        <select id="person" name="person">
          {people.map(({ id, name }) => (
            <option value={id} selected={draft.person === id}>
              {name}
            </option>
          ))}
        </select>
        <FieldProblem name="person" wrong={wrong} />
      </div>
      <fieldset class="switches">
        <legend>What</legend>
        <label>
          <input type="radio" name="act" value="takes" checked={draft.act !== 'away'} />
          <span>Takes over whoever’s turn it is</span>
        </label>
        <label>
          <input type="radio" name="act" value="away" checked={draft.act === 'away'} />
          <span>
            {rota.schedule
              ? 'Is away; the next in the order has their turns'
              : 'Is away; nobody is on call in their events'}
          </span>
        </label>
      </fieldset>
      <Time name="starts" label="From" {...{ draft, wrong }} />
      <Time name="ends" label="To" {...{ draft, wrong }} />
      <p class="rule">Times are in {rota.zone}.</p>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  )
}

function Time({
  name,
  label,
  draft,
  wrong,
}: {
  name: 'starts' | 'ends'
  label: string
  draft: Draft
  wrong: Wrong
}) {
  return (
    <>
      <div class="two" id={name}>
        <FormField name={`${name}Day`} label={`${label}, day`} type="date" required draft={draft} />
        <FormField
          name={`${name}Time`}
          label={`${label}, time`}
          type="time"
          required
          draft={draft}
        />
      </div>
      <FieldProblem name={name} wrong={wrong} />
    </>
  )
}
