/** @jsxImportSource preact */

import { Failure, type WrongField } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { type Draft, FormField, formField, type Wrong } from '../../../platform/web/form.tsx'
import { readList } from '../../../platform/web/form-schema.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { TAG_MAX, TAGS_MAX } from '../../wire/targeting.ts'
import type { TypedForm } from '../model/connect.ts'
import { DeviceChanges } from '../model/subscribe-fields.ts'
import { EXTERNAL_ID_MAX, type Subscriber } from '../model/subscriber.ts'

type Props = {
  /** Distinguishes the ids of these fields from those of other forms on the page. */
  of: string
  draft: Draft
  wrong: Wrong
}

// The length of all tags, separated by a comma and a space.
const ALL_TAGS_MAX = TAGS_MAX * (TAG_MAX + 2)

/** The fields by which agents, rules and the policy target a device; both may be empty. */
export function TargetFields({ of, draft, wrong }: Props) {
  return (
    <>
      <FormField
        name="tags"
        id={`tags-${of}`}
        label="Tags (optional)"
        placeholder="work, phone"
        maxLength={ALL_TAGS_MAX}
        draft={draft}
        wrong={wrong}
      >
        Separated by commas. Agents, rules and the policy reach every device with a tag.
      </FormField>
      <FormField
        name="externalId"
        id={`externalId-${of}`}
        label="External id (optional)"
        maxLength={EXTERNAL_ID_MAX}
        draft={draft}
        wrong={wrong}
      >
        Your own id for it or for its person, for calls that name one.
      </FormField>
    </>
  )
}

/** The tags and external id of a device; nothing if it has neither. */
export function Targets({ tags, externalId }: { tags: string[]; externalId: string | undefined }) {
  if (tags.length === 0 && externalId === undefined) return null
  return (
    <p class="targets">
      {tags.map((tag) => (
        <span class="chip">{tag}</span>
      ))}
      {externalId !== undefined && (
        <span class="soft">
          id <code>{externalId}</code>
        </span>
      )}
    </p>
  )
}

const deviceChanges = shape(DeviceChanges)

/** The fields with which people name and target a device. */
export const TARGET_FIELDS = ['label', 'tags', 'externalId'] as const

/** A device as the fields of its form. */
export function targetDraft({ label, tags, externalId = '' }: Subscriber): Draft {
  return { label, tags: tags.join(', '), externalId }
}

/**
 * Only the fields that were changed in the form, so that changes from another page stay. Throws
 * `invalid_input`.
 */
export function readTargetChanges(form: URLSearchParams): DeviceChanges {
  const typed = TARGET_FIELDS.filter(
    (name) => formField(form, name) !== formField(form, `was-${name}`),
  )
  const pairs = typed.map((name) => {
    const text = formField(form, name)
    return [name, name === 'tags' ? readList(text) : text] as const
  })
  return deviceChanges.parse(Object.fromEntries(pairs))
}

/** The tags and the external id of a new device, if any were typed. Throws `invalid_input`. */
export function readNewTargets(form: URLSearchParams): Pick<DeviceChanges, 'tags' | 'externalId'> {
  const tags = readList(formField(form, 'tags'))
  const externalId = formField(form, 'externalId')
  return deviceChanges.parse({
    ...(tags.length > 0 ? { tags } : {}),
    ...(externalId === '' ? {} : { externalId }),
  })
}

const NAMES: Record<string, string> = {
  label: 'The name',
  tags: 'The list of tags',
  externalId: 'The external id',
}

/** The errors by field of the form, as sentences. */
export function wrongTargets(fields: readonly WrongField[]): Wrong {
  const wrong = new Map<string, string>()
  for (const { field: place, must } of fields) {
    const tag = /^tags\[(\d+)\]$/.exec(place)?.[1]
    const name = tag === undefined ? place : 'tags'
    const who = tag === undefined ? (NAMES[place] ?? place) : `Tag ${Number(tag) + 1}`
    if (!wrong.has(name)) wrong.set(name, `${who} ${must}.`)
  }
  return wrong
}

/**
 * The form that connects a device, to be shown again: `kept` are its fields besides those that name
 * and target a device, `names` what the others are called. Failures that are not about fields are
 * thrown on.
 */
export function draftWithErrors(
  form: URLSearchParams,
  error: unknown,
  { kept: chosen = [], names }: { kept?: readonly string[]; names: Record<string, string> },
): TypedForm {
  if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
  const isTarget = ({ field: place }: WrongField) => /^(tags|externalId)/.test(place)
  const reasons = error.fields
    .filter((wrong) => !isTarget(wrong))
    .map(({ field, must }) => `${names[field] ?? field} ${must}.`)
  return {
    draft: readDraft(form, [...chosen, ...TARGET_FIELDS]),
    problem: reasons.join(' '),
    wrong: wrongTargets(error.fields.filter(isTarget)),
  }
}
