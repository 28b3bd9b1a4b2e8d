import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { WorkspaceId } from '../kernel/ids.ts'
import { type Plan, type PlanFacts, plan } from '../policy/plan.ts'
import type { Policies } from '../policy/policies.ts'
import type { RuleFacts } from '../policy/rule.ts'
import { terminalActiveAt } from '../sessions/store.ts'
import { matchSubscribers } from '../subscribers/store.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'

/** A call that nobody has made yet. */
export type ImaginedCall = RuleFacts & Pick<PlanFacts, 'permission' | 'test'>

/** What would become of it now, and the devices it is for. */
export type Preview = { plan: Plan; devices: Subscriber[] }

/** Runs the plan on an imagined call with the policy, the rules and the world as they are now. */
export async function previewCall(
  { db, clock, policies }: { db: Db; clock: Clock; policies: Policies },
  workspaceId: WorkspaceId,
  call: ImaginedCall,
): Promise<Preview> {
  const { policy, rules } = await policies.of(workspaceId)
  const { machineId } = call
  const unsaid = {
    timeoutMs: undefined,
    hookWaitsUntil: undefined,
    targeting: {},
    localSurfaceAvailable: undefined,
    atTerminal: false,
  }
  const made = plan(
    { ...call, ...unsaid, sessionId: undefined },
    {
      policy,
      rules,
      now: clock.now(),
      terminalActiveAt: machineId
        ? await terminalActiveAt(db.read, workspaceId, machineId)
        : undefined,
      unanswered: 0,
    },
  )
  return { plan: made, devices: await matchSubscribers(db.read, workspaceId, made.targeting) }
}
