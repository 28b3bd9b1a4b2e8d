import type { MakeRoom } from '../accounts/charge-token.ts'
import { readUsage } from '../accounts/model/usage-store.ts'
import { listTokenNotifications } from '../notifications/model/purge-store.ts'
import type { NotificationId } from '../wire/ids.ts'
import { forgetNotifications } from './forget.ts'

// Notifications are deleted in steps, so that nobody else waits for long.
const STEP = 100
const STEPS_MAX = 10

/** Deletes the token's oldest finished notifications. */
export const makeRoom: MakeRoom = async (
  tx,
  { tokenId, keptBytes },
  { most, told: notificationId, at },
) => {
  let left = keptBytes
  let gone = 0
  let after: NotificationId | undefined
  for (let step = 0; step < STEPS_MAX && left > most; step++) {
    const oldest = await listTokenNotifications(tx, tokenId, { after, limit: STEP })
    const others = oldest.filter(({ id }) => id !== notificationId)
    gone += (await forgetNotifications(tx, enough(others, left - most), at)).length
    left = (await readUsage(tx, [tokenId])).get(tokenId)?.keptBytes ?? 0
    after = oldest.at(-1)?.id
    if (oldest.length < STEP) break
  }
  return { gone, left }
}

/** The first rows that free this many bytes together, or all rows. */
function enough<T extends { bytes: number }>(rows: readonly T[], bytes: number): T[] {
  let sum = 0
  const at = rows.findIndex((row) => {
    sum += row.bytes
    return sum >= bytes
  })
  return at < 0 ? [...rows] : rows.slice(0, at + 1)
}
