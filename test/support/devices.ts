import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { saveSubscriber } from '../../src/ask/subscribers/model/store.ts'
import type { Subscriber } from '../../src/ask/subscribers/model/subscriber.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/ids.ts'

export const workspaceId: WorkspaceId = 'ws_test'

/** A browser of the workspace; `more` says what is different about it. */
export function aDevice(more: Partial<Subscriber> = {}): Subscriber {
  const id = newId('sub', more.createdAt ?? 1_000)
  return {
    id,
    workspaceId,
    personId: 'person',
    kind: 'browser',
    transport: 'webpush',
    endpoint: `https://push.example/${id}`,
    keys: { p256dh: 'p', auth: 'a' },
    label: 'Firefox on Linux',
    externalId: undefined,
    tags: [],
    userAgent: undefined,
    createdAt: 1_000,
    lastSuccessAt: undefined,
    lastErrorAt: undefined,
    lastError: undefined,
    lastShownAt: undefined,
    lastOpenedAt: undefined,
    ...more,
  }
}

/** Stores devices that differ as said, in one write. */
export function connect(db: Db, ...differences: Array<Partial<Subscriber>>): Promise<Subscriber[]> {
  const devices = differences.map(aDevice)
  return db.write(async (tx) => {
    const saved: Subscriber[] = []
    for (const device of devices) saved.push(await saveSubscriber(tx, device))
    return saved
  })
}
