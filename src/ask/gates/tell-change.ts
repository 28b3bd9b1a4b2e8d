import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { cutText } from '../../platform/text.ts'
import type { Agent } from '../accounts/model/agent.ts'
import { absolute } from '../delivery/model/links.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { Notification } from '../notifications/model/notification.ts'
import { insertNotification } from '../notifications/model/store.ts'
import { notificationMessage } from '../notifications/notification-message.ts'
import { href } from '../pages/paths.ts'
import type { Gate } from './model/gate.ts'
import { noteTold } from './model/store.ts'

type Deps = { db: Db; clock: Clock; sender: Sender; baseUrl: string }
type Asker = Pick<Agent, 'workspaceId' | 'tokenId'>

const NAMED = 3
const NAME_SHOWN_MAX = 40

/**
 * Tells people once that a server changed tools which a person had seen: one message for all of
 * them, because a new version of the server is the usual reason.
 */
export async function tellChange(
  { db, clock, sender, baseUrl }: Deps,
  gate: Gate,
  changed: readonly string[],
  { workspaceId, tokenId }: Asker,
): Promise<void> {
  const at = clock.now()
  const notification: Notification = {
    id: newId('n', at),
    workspaceId,
    tokenId,
    title: `${gate.name} has changed ${changed.length === 1 ? 'a tool' : `${changed.length} tools`}`,
    body: `${namesOf(changed)}. Each asks again, whatever allows it, until an owner has looked at the difference.`,
    context: undefined,
    url: absolute(baseUrl, href.gate(gate.id)),
    agentName: undefined,
    machineId: gate.machineId,
    sessionId: undefined,
    iconUrl: undefined,
    imageUrl: undefined,
    targeting: {},
    test: false,
    questionId: undefined,
    held: undefined,
    groupId: undefined,
    groupSize: undefined,
    createdAt: at,
  }
  const rows = await sender.address(db.read, notificationMessage(notification))
  await db.write(async (tx) => {
    await noteTold(tx, gate.id, at)
    // It is not the token's own traffic, so it does not count towards its limits.
    await insertNotification(tx, notification, 0)
    await sender.store(tx, rows)
    tx.emit('notification', notification.id)
  })
  sender.send(rows)
}

function namesOf(tools: readonly string[]): string {
  const names = tools.slice(0, NAMED).map((name) => cutText(name, NAME_SHOWN_MAX))
  const more = tools.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
