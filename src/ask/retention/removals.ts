import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { auditRecord, auditStamp } from '../audit/model/audit.ts'
import { recordAudit } from '../audit/model/store.ts'

/** The rows that a purge removed. */
export type Removals = {
  add(what: Removed, rows: ReadonlyArray<{ workspaceId: WorkspaceId; kind?: string }>): void
  /** Sign-ins, hooks and the like, which carry a time of their own and are no history. */
  addExpired(count: number): void
  total(): number
  /** One line in the log, and one row in the trail of each workspace that lost history. */
  record(to: { db: Db; log: Log | undefined; before: number; now: number }): Promise<void>
}

const WORDS = {
  questions: 'questions',
  notifications: 'notifications',
  trail: 'rows of this trail',
} as const
type Removed = keyof typeof WORDS
type Counts = Record<Removed, number>

export function countRemovals(): Removals {
  const byWorkspace = new Map<WorkspaceId, Counts>()
  let trailAlone = 0
  let expired = 0

  function total(): number {
    const all = [...byWorkspace.values()].flatMap((counts) => Object.values(counts))
    return all.reduce((sum, count) => sum + count, trailAlone + expired)
  }

  return {
    total,
    addExpired(count) {
      expired += count
    },
    add(what, rows) {
      for (const { workspaceId, kind } of rows) {
        // Otherwise the row about a purge would be the reason for one 90 days later, for ever.
        if (kind === 'history.removed') trailAlone++
        else count(byWorkspace, workspaceId, what)
      }
    },
    async record({ db, log, before, now }) {
      if (total() === 0) return
      const day = new Date(before).toISOString().slice(0, 10)
      const sum = (what: Removed) =>
        [...byWorkspace.values()].reduce((all, counts) => all + counts[what], 0)
      const trail = sum('trail') + trailAlone
      const [questions, notifications] = [sum('questions'), sum('notifications')]
      log?.info('removed what is over its time', {
        before: day,
        questions,
        notifications,
        trail,
        expired,
      })
      const records = [...byWorkspace].map(([workspaceId, counts]) =>
        auditRecord(auditStamp(now), {
          workspaceId,
          kind: 'history.removed',
          detail: `${listed(counts)} from before ${day}`,
        }),
      )
      if (records.length > 0) await db.write((tx) => recordAudit(tx, ...records))
    },
  }
}

function count(byWorkspace: Map<WorkspaceId, Counts>, workspaceId: WorkspaceId, what: Removed) {
  const counts = byWorkspace.get(workspaceId) ?? { questions: 0, notifications: 0, trail: 0 }
  byWorkspace.set(workspaceId, { ...counts, [what]: counts[what] + 1 })
}

function listed(counts: Counts): string {
  const parts = Object.entries(WORDS).flatMap(([what, word]) => {
    const number = counts[what as Removed]
    return number === 0 ? [] : `${number} ${number === 1 ? word.replace(/s\b/, '') : word}`
  })
  return new Intl.ListFormat('en').format(parts)
}
