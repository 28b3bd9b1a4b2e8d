import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { cleanLine, cutText, isBlank, MUST_BE_SEEN } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import type { Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { changeSubscriber } from '../subscribers/model/store.ts'
import type { DeviceChanges } from '../subscribers/model/subscribe-fields.ts'
import { LABEL_MAX, type Subscriber, type SubscriberId } from '../subscribers/model/subscriber.ts'
import { type ForgetDeviceDeps, ownDevice } from './devices.ts'

/** As stored: null means no external id. */
type Changed = { label?: string; externalId?: string | null; tags?: string[] }

/**
 * Changes a device's name and what it is targeted by. Throws `invalid_input` naming the field,
 * `not_found`, and `forbidden` for another person's device unless the person owns the workspace.
 */
export async function changeDevice(
  deps: ForgetDeviceDeps,
  person: Person,
  id: SubscriberId,
  changes: DeviceChanges,
): Promise<Subscriber> {
  const device = await ownDevice(deps, person, id)
  const to = differing(device, readChanges(changes))
  const detail = inWords(to)
  if (detail === '') return device
  const { workspaceId, id: personId, name: personName } = person
  const stamp = auditStamp(deps.clock.now())
  return deps.db.write(async (tx) => {
    const changed = await changeSubscriber(tx, { workspaceId, id }, to)
    // It was removed at the same moment.
    if (!changed) throw new Failure('not_found', 'There is no such device here.')
    const by = { workspaceId, personId, personName }
    const subject = { subjectId: id, subjectName: changed.label, detail }
    await recordChange(tx, stamp, { ...by, ...subject, kind: 'device.changed' })
    tx.emit('subscriber', workspaceId)
    return changed
  })
}

/** Tags as they are stored. Throws `invalid_input` naming the first invalid one. */
export function readTags(tags: readonly string[]): string[] {
  const wrong = tags.flatMap((tag, at): WrongField[] => {
    const field = `tags[${at}]`
    if (isBlank(tag)) return [{ field, must: MUST_BE_SEEN }]
    return tag.includes(',')
      ? [{ field, must: 'must not contain a comma, which separates tags' }]
      : []
  })
  if (wrong.length > 0) throw wrongFields(wrong)
  return [...new Set(tags.map(cleanLine))].sort()
}

/** What people call a device, as it is stored. Throws `invalid_input`. */
export function readLabel(text: string): string {
  const label = cleanLine(text)
  const wrong = wrongName(label, LABEL_MAX, 'label')
  if (wrong.length > 0) throw wrongFields(wrong)
  return label
}

/** The external id as it is stored; null for none. Throws `invalid_input`. */
export function readExternalId(text: string): string | null {
  const id = cleanLine(text)
  if (id !== '' && isBlank(id)) throw wrongFields([{ field: 'externalId', must: MUST_BE_SEEN }])
  return id === '' ? null : id
}

function readChanges({ label, externalId, tags }: DeviceChanges): Changed {
  return {
    ...(label === undefined ? {} : { label: readLabel(label) }),
    ...(externalId === undefined ? {} : { externalId: readExternalId(externalId) }),
    ...(tags === undefined ? {} : { tags: readTags(tags) }),
  }
}

/** Only the fields that differ. */
function differing(device: Subscriber, to: Changed): Changed {
  const { label, externalId, tags } = to
  const isSame = tags?.join() === [...device.tags].sort().join()
  return {
    ...(label === undefined || label === device.label ? {} : { label }),
    ...(externalId === undefined || externalId === (device.externalId ?? null)
      ? {}
      : { externalId }),
    ...(tags === undefined || isSame ? {} : { tags }),
  }
}

// All tags at full length would fill a page of the audit trail.
const DETAIL_MAX = 300

function inWords({ label, externalId, tags }: Changed): string {
  const parts = [
    label !== undefined && `name: ${label}`,
    tags && (tags.length > 0 ? `tags: ${tags.join(', ')}` : 'no tags'),
    externalId !== undefined && (externalId ? `external id: ${externalId}` : 'no external id'),
  ]
  return cutText(parts.filter(Boolean).join('; '), DETAIL_MAX)
}
