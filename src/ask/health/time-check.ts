import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Ahead, confirmTime, readAhead } from '../../platform/db/agreed-time.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type Check, warnedCheck } from '../check.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const TOLERANCE_MS = 7 * DAY_MS

/**
 * How far the clock may be ahead before nothing is removed any more: a week, in which a server may
 * have been off, and where less is kept than that a quarter of it.
 */
export function clockTolerance({ retention }: Pick<Config, 'retention'>): number {
  return Math.min(TOLERANCE_MS, (retention.days * DAY_MS) / 4)
}

const CURE =
  'If the clock is wrong, set it. If it is right, because the server was off for so long, an owner confirms it under Settings, Health.'

export function warnOfClock(log: Log, ahead: Ahead): void {
  log.warn(`${describe(ahead)} ${CURE}`)
}

function describe({ clock, known: expectedTime }: Ahead): string {
  const days = Math.floor((clock - expectedTime) / DAY_MS)
  const by = days === 1 ? '1 day' : days > 1 ? `${days} days` : 'hours'
  return `The clock says ${isoTime(clock)}, ${by} after the newest time that this server knows of, ${isoTime(expectedTime)}: old history is not removed meanwhile.`
}

/** A warning while the clock waits for a person; nothing otherwise. */
export async function timeChecks(read: Read): Promise<Check[]> {
  const ahead = await readAhead(read)
  if (!ahead) return []
  return [warnedCheck('storage', 'Time', describe(ahead), CURE)]
}

/** Believes the clock, because `person` says that it is right. Throws `forbidden`. */
export async function confirmClock(
  { db, clock }: { db: Db; clock: Clock },
  person: Person,
): Promise<void> {
  must(person, 'health')
  const now = clock.now()
  const stamp = auditStamp(now)
  const { id: personId, workspaceId } = person
  await db.write(async (tx) => {
    const ahead = await readAhead(tx)
    if (!ahead) return
    await confirmTime(tx, now)
    const detail = `${isoTime(now)}, after ${isoTime(ahead.known)}`
    await recordChange(tx, stamp, { workspaceId, kind: 'clock.confirmed', personId, detail })
  })
}
