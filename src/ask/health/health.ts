import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { inspectFolder } from '../../platform/db/inspect-folder.ts'
import { inspectSnapshots } from '../../platform/db/snapshots.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, passedCheck } from '../check.ts'
import type { ChannelModule } from '../delivery/channel-module.ts'
import { inspectServer } from './database-checks.ts'
import { examine } from './examine.ts'

export type HealthDeps = {
  config: Config
  db: Db
  clock: Clock
  authSecret: string
  channels: readonly ChannelModule[]
  fetch: GuardedFetch['fetch']
  addressesOf: GuardedFetch['addressesOf']
}

/** The health checks, as the owner of a workspace sees them. */
export type Health = { at: number; checks: Check[] }

// A larger database is not checked, because the server would be blocked meanwhile.
const CHECK_UP_TO = 16 * 1024 * 1024

/** `beckon doctor` within the server; calls during a run share its result. */
export function createHealth(deps: HealthDeps): (workspaceId: WorkspaceId) => Promise<Health> {
  const underWay = new Map<WorkspaceId, Promise<Health>>()

  async function find(workspaceId: WorkspaceId): Promise<Health> {
    const { config, db, clock } = deps
    const folder = inspectFolder(config.dataFolder, CHECK_UP_TO)
    const elsewhere = inspectServer(config.database)
    const snapshots = config.database
      ? undefined
      : inspectSnapshots(config, clock.now(), CHECK_UP_TO)
    const checks = await examine({
      ...deps,
      folder,
      snapshots,
      elsewhere,
      read: db.read,
      workspaceId,
    })
    const configured = passedCheck(
      'configuration',
      'Configuration',
      'The configuration is complete.',
    )
    return { at: clock.now(), checks: [configured, ...checks] }
  }

  return (workspaceId) => {
    const running = underWay.get(workspaceId)
    if (running) return running
    const started = find(workspaceId).finally(() => underWay.delete(workspaceId))
    underWay.set(workspaceId, started)
    return started
  }
}
