import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { terminalActiveAt } from '../sessions/model/store.ts'
import { matchSubscribers } from '../subscribers/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import type { RuleFacts } from './model/rule.ts'
import type { Policies } from './model/store.ts'
import { type Plan, type PlanFacts, plan } from './plan.ts'

/** A call that was not made. */
export type ImaginedCall = RuleFacts & Pick<PlanFacts, 'permission' | 'test'>

/** The plan for the call now, and the devices it is for. */
export type Preview = { plan: Plan; devices: Subscriber[] }

/** Plans an imagined call with the current policy, rules and presence. */
export async function previewCall(
  { db, clock, policies }: { db: Db; clock: Clock; policies: Policies },
  workspaceId: WorkspaceId,
  call: ImaginedCall,
): Promise<Preview> {
  const { policy, rules } = await policies.of(workspaceId)
  const { machineId } = call
  const outcome = plan(
    { ...call, targeting: {}, atTerminal: false },
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
  return { plan: outcome, devices: await matchSubscribers(db.read, workspaceId, outcome.targeting) }
}
