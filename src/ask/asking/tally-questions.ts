import type { Clock } from '../../platform/clock.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { QUARTER_MS, quarterOf, tallyOf } from '../questions/model/tally.ts'
import {
  type EndedAfter,
  findTallied,
  listEndedAfter,
  purgeTallies,
  putTallies,
} from '../questions/model/tally-store.ts'

type TallyDeps = {
  db: Db
  clock: Clock
  /** Names this process: if several share a database, one of them counts. */
  holder: string
}

/** How far back counts are kept, whatever is kept of the questions themselves. */
const TALLIES_KEPT_MS = 100 * 24 * 60 * 60_000

const EVERY_MS = 5 * 60_000
// The end of a question may take this long to reach the disk.
const SETTLED_MS = 2 * 60_000
const BATCH = 2_000
const LEASE = 'tally'
const LEASE_MS = 2 * 60_000

/**
 * Counts how questions ended, by quarter of an hour, up to the last one that is over, so that
 * charts need not read the questions, which may be a million. Counts stay when the questions are
 * deleted. Each batch is complete in itself.
 */
export async function tallyQuestions(deps: TallyDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock } = deps
  for (const { id } of await listWorkspaces(db.read)) {
    const before = quarterOf(clock.now() - SETTLED_MS)
    let until = await findTallied(db.read, id)
    const oldest = clock.now() - TALLIES_KEPT_MS
    while (until === undefined || until < before) {
      if (signal?.aborted) return
      const at = Math.max(until ?? 0, oldest)
      until = await tallyBatch(deps, id, { at }, before)
      if (until === undefined) return
    }
  }
}

/** Deletes counts that are older than is kept. */
export async function purgeOldTallies(tx: Tx, now: number): Promise<void> {
  for (const { id } of await listWorkspaces(tx)) await purgeTallies(tx, id, now - TALLIES_KEPT_MS)
}

/**
 * The instant up to which every ended question is counted, by whichever process; 0 if a workspace
 * was never counted.
 */
export async function readTallyEnd(read: Read): Promise<number> {
  const all: number[] = []
  for (const { id } of await listWorkspaces(read)) all.push((await findTallied(read, id)) ?? 0)
  return Math.min(...all)
}

/**
 * Resolves to the instant up to which everything is counted; undefined while another process
 * counts.
 */
async function tallyBatch(
  { db, clock, holder }: TallyDeps,
  workspaceId: WorkspaceId,
  after: EndedAfter,
  before: number,
): Promise<number | undefined> {
  const { rows, until } = await wholeQuarters(db, workspaceId, after, before)
  const now = clock.now()
  return await db.write(async (tx) => {
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    if (!(await takeLease(tx, lease))) return undefined
    await putTallies(tx, workspaceId, tallyOf(workspaceId, rows), until)
    return until
  })
}

/** The next ended questions, as many whole quarters of an hour as fit, but one at least. */
async function wholeQuarters(db: Db, workspaceId: WorkspaceId, after: EndedAfter, before: number) {
  const rows = await listEndedAfter(db.read, { workspaceId }, after, { before, limit: BATCH })
  const last = rows.at(-1)
  if (rows.length < BATCH || !last) return { rows, until: before }
  const quarter = quarterOf(last.endedAt)
  const whole = rows.filter(({ endedAt }) => endedAt < quarter)
  if (whole.length > 0) return { rows: whole, until: quarter }
  const until = quarter + QUARTER_MS
  for (let from = last; ; ) {
    const at = { at: from.endedAt, id: from.id }
    const more = await listEndedAfter(db.read, { workspaceId }, at, { before: until, limit: BATCH })
    rows.push(...more)
    const end = more.at(-1)
    if (more.length < BATCH || !end) return { rows, until }
    from = end
  }
}

/**
 * Counts now and then every five minutes, until disposed, but not while the clock is ahead: what is
 * counted is not counted again. `report` is called with errors.
 */
export function keepTallying(
  deps: TallyDeps & { agreedTime: AgreedTime },
  report: (error: unknown) => void,
): AsyncDisposable {
  const closing = new AbortController()
  async function work() {
    if ((await deps.agreedTime.read()) !== undefined) await tallyQuestions(deps, closing.signal)
  }
  const loop = repeatEvery(deps.clock, EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
      await leaveLease(deps.db, LEASE, deps.holder)
    },
  }
}
