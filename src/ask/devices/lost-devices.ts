import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import { listAbout, listAudit } from '../audit/model/store.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'

/** A device that its service gave up on, so that it was forgotten: nothing rings there any more. */
export type LostDevice = {
  label: string
  /** The answer of the service. */
  reason: string
  at: number
}

const SINCE_MS = 14 * 24 * 3600 * 1000
// Each costs a look.
const LOST_MAX = 12

/**
 * The person's own devices that were lost in the last 14 days, the latest first; not those that
 * were connected again under the same name.
 */
export async function lostDevices(
  { db, clock }: { db: Db; clock: Clock },
  { id: personId, workspaceId }: Pick<Person, 'id' | 'workspaceId'>,
): Promise<LostDevice[]> {
  const { read } = db
  const now = clock.now()
  const before = { at: now + 1, id: undefined }
  const range = { from: now - SINCE_MS, before, limit: LOST_MAX }
  const wanted = { kinds: ['device.removed'], personId: undefined } as const
  const removals = await listAudit(read, workspaceId, wanted, range)
  const own = await listOwnSubscribers(read, { workspaceId, personId })
  // A person who removes a device is named.
  const byService = removals.filter((removal) => removal.personId === null)
  const lost = byService.map(async ({ subjectId, subjectName, detail, at }) => {
    const kind = 'device.connected' as const
    const [first] = await listAbout(read, { subjectId: subjectId ?? '', kind }, 1)
    const label = subjectName ?? ''
    const isBack = own.some((device) => device.label === label && device.createdAt > at)
    if (first?.personId !== personId || isBack) return []
    return [{ label, reason: detail ?? '', at }]
  })
  return (await Promise.all(lost)).flat()
}
