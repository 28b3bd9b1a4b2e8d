import { createECDH, randomBytes } from 'node:crypto'
import { openDataFolder } from '../../src/db/data-folder.ts'
import { newId, type WorkspaceId } from '../../src/kernel/ids.ts'
import { saveSubscriber } from '../../src/subscribers/store.ts'
import type { Subscriber } from '../../src/subscribers/subscriber.ts'

/** Browsers that subscribed, one for each endpoint, with keys of their own. */
export async function connectDevices(folder: string, endpoints: readonly string[]): Promise<void> {
  await using db = openDataFolder(folder)
  const [[workspaceId] = ['']] = await db.orm.all<[string]>('select workspace_id from agent_tokens')
  const devices = endpoints.map((endpoint) => browser(workspaceId as WorkspaceId, endpoint))
  await db.write(async (tx) => {
    for (const device of devices) await saveSubscriber(tx, device)
  })
}

/** The keys of a subscription, as a browser makes them. */
export function newKeys(): { p256dh: string; auth: string } {
  const pair = createECDH('prime256v1')
  return { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
}

function browser(workspaceId: WorkspaceId, endpoint: string): Subscriber {
  const now = Date.now()
  return {
    id: newId('sub', now),
    workspaceId,
    personId: undefined,
    kind: 'browser',
    transport: 'webpush',
    endpoint,
    keys: newKeys(),
    label: 'bench',
    externalId: undefined,
    tags: [],
    userAgent: undefined,
    createdAt: now,
    lastSuccessAt: undefined,
    lastErrorAt: undefined,
    lastError: undefined,
    lastShownAt: undefined,
    lastOpenedAt: undefined,
  }
}
