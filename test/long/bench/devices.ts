import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { WorkspaceId } from '../../../src/platform/ids.ts'
import { connect } from '../../support/devices.ts'
import { deviceKeys, shownKeys } from '../../support/push-server.ts'

/** Browsers that subscribed, one for each endpoint, with keys of their own. */
export async function connectDevices(folder: string, endpoints: readonly string[]): Promise<void> {
  await using db = openDataFolder(folder)
  const [[id] = ['']] = await db.orm.all<[string]>('select workspace_id from agent_tokens')
  const common = { workspaceId: id as WorkspaceId, personId: undefined, label: 'bench' }
  await connect(db, ...endpoints.map((endpoint) => ({ ...common, endpoint, keys: newKeys() })))
}

/** The keys of a subscription, as a browser makes them. */
export function newKeys(): { p256dh: string; auth: string } {
  return shownKeys(deviceKeys())
}
