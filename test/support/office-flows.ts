import { and, eq, isNotNull } from 'drizzle-orm'
import type { Caller } from '../../src/ask/accounts/model/agent.ts'
import { deliveries } from '../../src/ask/delivery/model/table.ts'
import { sendNotification } from '../../src/ask/notifications/send-notification.ts'
import { createPolicies } from '../../src/ask/policy/model/store.ts'
import { createWaiters } from '../../src/ask/waiting/waiters.ts'
import type { SendNotificationInput } from '../../src/ask/wire/notification-fields.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { workspaceId } from './devices.ts'
import { onEnded } from './on-ended.ts'
import { baseUrl, type PostOffice } from './post-office.ts'
import { until } from './until.ts'

export const LATER = { status: 429, headers: { 'retry-after': '30' } }
export const NOTE = { title: 'Step done', body: 'On to the next.' }
export const SESSION = { sessionId: 's1', machineId: 'm1', agentName: 'Claude Code - shop' }

/** The flows of one process on the office's database; another holder is another start. */
export function flowsOf(office: PostOffice, sender = office.sender) {
  const { db, clock } = office
  return {
    ...{ db, clock, sender, baseUrl, outside: createGuardedFetch() },
    policies: createPolicies({ db, clock }),
    waiters: createWaiters(db.changes, clock),
    onEnded: onEnded(sender),
  }
}

export function callAt({ clock }: PostOffice) {
  const caller: Caller = {
    ...{ tokenId: 'key_test', tokenName: 'test', workspaceId, test: false },
    ...{ client: undefined, testConnection: false, arrivedAt: clock.now() },
  }
  return { caller, talk() {}, signal: new AbortController().signal }
}

/** What arrived for one device. */
export const sentTo = ({ push }: PostOffice, name: string) =>
  push.delivered.filter((one) => one.name === name)
/** What devices were told to show, in order. */
export const notificationsIn = ({ push }: PostOffice) =>
  push.delivered.map(({ payload: { notification } }) => notification)

/** Lets what is on its way arrive. */
export async function arrived(office: PostOffice, count: number) {
  await office.push.until(count)
  await until(() => office.push.open() === 0)
  // What came back is written down a moment after it was answered.
  await until(async () => !(await isUnderWay(office)))
}

async function isUnderWay({ db }: PostOffice): Promise<boolean> {
  const claimed = and(eq(deliveries.state, 'waiting'), isNotNull(deliveries.claimedBy))
  return (await db.read.select().from(deliveries).where(claimed).limit(1)).length > 0
}

export async function tell(office: PostOffice, more: Partial<SendNotificationInput> = {}) {
  const result = await sendNotification(
    flowsOf(office),
    { ...NOTE, ...SESSION, ...more },
    callAt(office),
  )
  await office.clock.advance(1_000)
  return result
}
