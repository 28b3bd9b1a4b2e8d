import type { CallContext, Caller, Progress } from '../../src/ask/accounts/model/agent.ts'
import type { AskUserDeps } from '../../src/ask/asking/ask-user.ts'
import { createSender } from '../../src/ask/delivery/fan-out.ts'
import type { Channel, DeliveryReceipt, Message } from '../../src/ask/delivery/model/channel.ts'
import { createPolicies } from '../../src/ask/policy/model/store.ts'
import type { EndQuestionDeps } from '../../src/ask/questions/end-question.ts'
import { saveSubscriber } from '../../src/ask/subscribers/model/store.ts'
import type { Subscriber } from '../../src/ask/subscribers/model/subscriber.ts'
import { createWaiters } from '../../src/ask/waiting/waiters.ts'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { newId, randomText } from '../../src/platform/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { onEnded } from './on-ended.ts'
import { tempFolder } from './temp-folder.ts'
import { openTestDatabase } from './test-database.ts'

/** What the flows need, on a real database (see `openTestDatabase`), with devices whose push service the test plays. */
export type FlowWorld = AsyncDisposable & {
  deps: AskUserDeps & EndQuestionDeps
  db: OpenDb
  clock: FakeClock
  /** What reached each device, in order. */
  deliveries: Array<{ to: Subscriber; message: Message }>
  /** What the push service says of each device, by label; accepted when nothing is set. */
  receipts: Map<string, () => Promise<DeliveryReceipt>>
  device(label: string, more?: Partial<Subscriber>): Promise<Subscriber>
  call(more?: Partial<Caller> & { signal?: AbortSignal }): CallContext & { updates: Progress[] }
}

/** The headlines of what replaced questions that had ended. */
export function outcomesIn({ deliveries }: Pick<FlowWorld, 'deliveries'>): string[] {
  return deliveries
    .filter(({ message }) => message.kind === 'outcome')
    .map(({ message }) => message.title)
}

export async function flowWorld(): Promise<FlowWorld> {
  const folder = tempFolder()
  const clock = fakeClock()
  const database = await openTestDatabase(folder.path)
  const { db } = database
  const deliveries: FlowWorld['deliveries'] = []
  const receipts: FlowWorld['receipts'] = new Map()
  const channel: Channel = {
    transport: 'webpush',
    dropsLate: true,
    replaces: true,
    async send({ message }, to) {
      deliveries.push({ to, message })
      return (await receipts.get(to.label)?.()) ?? { outcome: 'accepted', status: 201 }
    },
  }
  const sender = createSender({ db, clock, channels: [channel], log: silentLog, holder: 'here' })
  const waiters = createWaiters(db.changes, clock)
  const policies = createPolicies({ db, clock })
  const workspaceId = newId('ws', clock.now())

  return {
    deps: {
      db,
      clock,
      waiters,
      sender,
      onEnded: onEnded(sender),
      policies,
      baseUrl: 'http://localhost:8484',
      outside: createGuardedFetch(),
    },
    db,
    clock,
    deliveries,
    receipts,
    device: (label, more = {}) =>
      db.write((tx) =>
        saveSubscriber(tx, {
          id: newId('sub', clock.now()),
          workspaceId,
          personId: undefined,
          kind: 'browser',
          transport: 'webpush',
          endpoint: `https://push.example/${randomText(10)}`,
          keys: { p256dh: 'p', auth: 'a' },
          label,
          externalId: undefined,
          tags: [],
          userAgent: undefined,
          createdAt: clock.now(),
          lastSuccessAt: undefined,
          lastErrorAt: undefined,
          lastError: undefined,
          lastShownAt: undefined,
          lastOpenedAt: undefined,
          ...more,
        }),
      ),
    call({ signal = new AbortController().signal, ...more } = {}) {
      const updates: Progress[] = []
      return {
        caller: {
          tokenId: 'key_test',
          tokenName: 'test',
          workspaceId,
          test: false,
          client: undefined,
          testConnection: false,
          arrivedAt: clock.now(),
          ...more,
        },
        talk: (progress) => void updates.push(progress),
        signal,
        updates,
      }
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
