import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { WorkspaceId } from '../kernel/ids.ts'
import type { Policy } from './policy.ts'
import type { Rule } from './rule.ts'
import { listRules, readPolicy } from './store.ts'

export type Wishes = { policy: Policy; rules: Rule[] }

/** Each workspace's policy and rules, which every ask looks at; known for a second at most. */
export type Policies = Disposable & { of(workspaceId: WorkspaceId): Promise<Wishes> }

// A change by another process takes effect within this time; one by ours at once.
const KNOWN_FOR_MS = 1_000
const KNOWN_MAX = 1_000

export function createPolicies({ db, clock }: { db: Db; clock: Clock }): Policies {
  const known = new Map<WorkspaceId, { readAt: number; wishes: Promise<Wishes> }>()
  const forgetAll = () => known.clear()
  const stopListening = [
    db.bell.on('policy', undefined, (id) => known.delete(id as WorkspaceId)),
    db.bell.onGap(forgetAll),
  ]

  async function read(workspaceId: WorkspaceId): Promise<Wishes> {
    const policy = await readPolicy(db.read, workspaceId)
    return { policy, rules: await listRules(db.read, workspaceId) }
  }

  return {
    of(workspaceId) {
      const fresh = known.get(workspaceId)
      if (fresh && clock.now() - fresh.readAt < KNOWN_FOR_MS) return fresh.wishes
      if (known.size >= KNOWN_MAX) known.clear()
      const wishes = read(workspaceId)
      known.set(workspaceId, { readAt: clock.now(), wishes })
      wishes.catch(() => known.delete(workspaceId))
      return wishes
    },
    [Symbol.dispose]() {
      for (const stop of stopListening) stop()
    },
  }
}
