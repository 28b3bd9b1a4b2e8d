import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createTtlCache } from '../../../platform/db/ttl-cache.ts'
import type { WorkspaceId } from '../../../platform/ids.ts'
import type { Policy } from './policy.ts'
import type { Rule } from './rule.ts'
import { listRules, readPolicy } from './store.ts'

type Wishes = { policy: Policy; rules: Rule[] }

/** Each workspace's policy and rules, which every question reads; cached for a second at most. */
export type Policies = Disposable & { of(workspaceId: WorkspaceId): Promise<Wishes> }

export function createPolicies({ db, clock }: { db: Db; clock: Clock }): Policies {
  return createTtlCache({ changes: db.changes, clock }, 'policy', async (id) => {
    const workspaceId = id as WorkspaceId
    const policy = await readPolicy(db.read, workspaceId)
    return { policy, rules: await listRules(db.read, workspaceId) }
  })
}
