import webPush from 'web-push'
import { CHANNELS } from '../../src/ask/channels/channels.ts'
import { createNtfy } from '../../src/ask/channels/ntfy/channel.ts'
import { createWebPush } from '../../src/ask/channels/web-push/channel.ts'
import { createSender } from '../../src/ask/delivery/fan-out.ts'
import type { Message } from '../../src/ask/delivery/model/channel.ts'
import type { OutgoingMessage } from '../../src/ask/delivery/model/sender.ts'
import type { Subscriber } from '../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { connect, workspaceId } from './devices.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { ntfyServer } from './ntfy-server.ts'
import { type Behaviour, pushServer } from './push-server.ts'
import { tempFolder } from './temp-folder.ts'
import { openTestDatabase } from './test-database.ts'

export const vapid = webPush.generateVAPIDKeys()
export const quickAnswerSecret = 'a secret of the tests'
export const baseUrl = 'https://beckon.example.com'

/** A database, a push service, and a post between them on a clock that only moves when told. */
export async function postOffice(
  options: {
    vapidSubject?: string
    baseUrl?: string
    /** How long a service has to answer, instead of what the channels say. */
    patienceMs?: number
  } = {},
) {
  const folder = tempFolder()
  const database = await openTestDatabase(folder.path)
  const { db } = database
  const push = await pushServer()
  const ntfy = await ntfyServer()
  const clock = fakeClock()
  const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const { patienceMs } = options
  const fetch: typeof outside.fetch = (url, request = {}) =>
    outside.fetch(url, patienceMs ? { ...request, timeoutMs: patienceMs } : request)
  const sessionOf = async () => undefined
  const common = { fetch, clock, quickAnswerSecret, sessionOf, baseUrl: options.baseUrl ?? baseUrl }
  const channel = createWebPush({ ...common, vapid, vapidSubject: options.vapidSubject })
  const channels = [channel, createNtfy(common)]
  const openSender = (holder: string) =>
    createSender({ db, clock, log: silentLog, channels, holder })
  const sender = openSender('this process')

  return {
    db,
    push,
    ntfy,
    clock,
    sender,
    channel,
    outside,
    /** What connects devices, as the server has it. */
    channels: CHANNELS,
    openSender,
    /** Addresses, stores and sends, as the flows do. */
    async mail(outgoing: OutgoingMessage) {
      const rows = await sender.address(db.read, outgoing)
      await db.write((tx) => sender.store(tx, rows))
      return { rows, sending: sender.send(rows) }
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      await ntfy[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export type PostOffice = Awaited<ReturnType<typeof postOffice>>

export const questionId = 'q_06fd0a5c1m0123456789abcdef' as QuestionId

export function aMessage(more: Partial<Message> = {}): Message {
  return {
    kind: 'question',
    title: 'Claude Code asks',
    body: 'May I run the migration?',
    tag: questionId,
    url: `/d/${questionId}`,
    urgency: 'high',
    question: { correlationId: questionId, type: 'confirm', quick: true },
    ...more,
  }
}

export function anOutgoingMessage(
  clock: FakeClock,
  more: Partial<Pick<OutgoingMessage, 'targeting' | 'sorts' | 'message'>> & {
    lifeMs?: number
  } = {},
): OutgoingMessage {
  return {
    workspaceId,
    tokenId: 'key_1',
    subjectId: questionId,
    targeting: more.targeting ?? {},
    sorts: more.sorts ?? ['question'],
    message: more.message ?? aMessage(),
    expiresAt: clock.now() + (more.lifeMs ?? 600_000),
  }
}

/** Connects a device for each label; one whose label begins with "phone" is a phone. */
export async function connectEach(
  office: PostOffice,
  behaviours: Record<string, Behaviour[]>,
  push = office.push,
): Promise<Subscriber[]> {
  const devices = Object.entries(behaviours).map(([label, behaviour]) => ({
    label,
    kind: label.startsWith('phone') ? ('phone' as const) : ('browser' as const),
    ...push.subscribe(label.replaceAll(' ', '-'), ...behaviour),
  }))
  return connect(office.db, ...devices)
}
