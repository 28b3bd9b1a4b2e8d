import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../../platform/ids.ts'
import { listNotifications } from '../notifications/model/store.ts'
import { countOpenQuestions, listQuestions } from '../questions/model/store.ts'

type Deps = { db: Db; clock: Clock }

type Told = { tell(bytes: Uint8Array): void }

/**
 * Finds changes that nobody was told of, because a process may die between a commit and its event.
 * Compares what the pages of each watched workspace show with the look before, and sends `changed`
 * to everybody who watches if it differs. It cannot know which changes were already sent, so those
 * are sent again. Never throws.
 */
export function createInboxLook(
  deps: Deps,
  watched: ReadonlyMap<WorkspaceId, Iterable<Told>>,
  changed: Uint8Array,
): () => Promise<void> {
  let known = new Map<WorkspaceId, string>()
  let looking = false
  return async () => {
    if (looking) return
    looking = true
    try {
      const marks = new Map<WorkspaceId, string>()
      for (const [workspaceId, watchers] of watched) {
        const mark = await markOf(deps, workspaceId)
        marks.set(workspaceId, mark)
        if ((known.get(workspaceId) ?? mark) === mark) continue
        for (const watcher of watchers) watcher.tell(changed)
      }
      known = marks
    } catch {
      // The database is away; the next look compares again.
    } finally {
      looking = false
    }
  }
}

/** Differs after a question was opened or ended, or a notification was sent. */
async function markOf({ db, clock }: Deps, workspaceId: WorkspaceId): Promise<string> {
  const newest = { before: undefined, limit: 1 }
  const [question] = await listQuestions(db.read, workspaceId, newest)
  const [notification] = await listNotifications(db.read, workspaceId, newest)
  const open = await countOpenQuestions(db.read, workspaceId, clock.now())
  return JSON.stringify([question?.id, notification?.id, open])
}
