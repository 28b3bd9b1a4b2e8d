import { Failure, type WrongField } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { formField } from '../../../platform/web/form.ts'
import type { Draft, Wrong } from '../../../platform/web/form-field.tsx'
import { readDraft, tagsOf } from '../../pages/read-fields.ts'
import type { TypedForm } from '../model/connect.ts'
import { DeviceChanges } from '../model/subscribe-fields.ts'
import type { Subscriber } from '../model/subscriber.ts'

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
  const given = typed.map((name) => {
    const text = formField(form, name)
    return [name, name === 'tags' ? tagsOf(text) : text] as const
  })
  return deviceChanges.parse(Object.fromEntries(given))
}

/** The tags and the external id of a new device, if any were typed. Throws `invalid_input`. */
export function readNewTargets(form: URLSearchParams): Pick<DeviceChanges, 'tags' | 'externalId'> {
  const tags = tagsOf(formField(form, 'tags'))
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
export function typedAgain(
  form: URLSearchParams,
  error: unknown,
  { kept = [], names }: { kept?: readonly string[]; names: Record<string, string> },
): TypedForm {
  if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
  const isTarget = ({ field: place }: WrongField) => /^(tags|externalId)/.test(place)
  const said = error.fields
    .filter((wrong) => !isTarget(wrong))
    .map(({ field, must }) => `${names[field] ?? field} ${must}.`)
  return {
    draft: readDraft(form, [...kept, ...TARGET_FIELDS]),
    problem: said.join(' '),
    wrong: wrongTargets(error.fields.filter(isTarget)),
  }
}
