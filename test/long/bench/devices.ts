import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { connect } from '../../support/devices.ts'
import { deviceKeys, shownKeys } from '../../support/push-server.ts'
import { type Beckon, openItsDatabase } from './beckon.ts'

/** Browsers that subscribed, one for each endpoint, with keys of their own. */
export async function connectDevices(
  { folder, env }: Pick<Beckon, 'folder' | 'env'>,
  endpoints: readonly string[],
): Promise<void> {
  await using db = await openItsDatabase(folder, env)
  const now = Date.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const common = { workspaceId, personId: undefined, label: 'bench' }
  await connect(db, ...endpoints.map((endpoint) => ({ ...common, endpoint, keys: newKeys() })))
}

/** The keys of a subscription, as a browser makes them. */
export function newKeys(): { p256dh: string; auth: string } {
  return shownKeys(deviceKeys())
}
