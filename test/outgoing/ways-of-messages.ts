import { createECDH, randomBytes } from 'node:crypto'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { askUser } from '../../src/ask/asking/ask-user.ts'
import { auditRecord, auditStamp } from '../../src/ask/audit/model/audit.ts'
import { recordAudit } from '../../src/ask/audit/model/store.ts'
import { createCallbackSender } from '../../src/ask/callbacks/deliver-callbacks.ts'
import { readCallbacks } from '../../src/ask/callbacks/read-callbacks.ts'
import { createNtfy } from '../../src/ask/channels/ntfy/channel.ts'
import {
  type AnswerInSlackDeps,
  answerInSlack,
} from '../../src/ask/channels/slack/answer-in-slack.ts'
import { callSlack } from '../../src/ask/channels/slack/api.ts'
import { callTelegram } from '../../src/ask/channels/telegram/api.ts'
import { createWebPush } from '../../src/ask/channels/web-push/channel.ts'
import type { Channel, Delivery } from '../../src/ask/delivery/model/channel.ts'
import { reachServices, servicesCheck } from '../../src/ask/health/push-checks.ts'
import type { Subscriber } from '../../src/ask/subscribers/model/subscriber.ts'
import { postTrail } from '../../src/ask/trail/post-trail.ts'
import { sealAudit } from '../../src/ask/trail/seal-audit.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { silentLog } from '../../src/platform/log.ts'
import type { Fetched } from '../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from '../support/devices.ts'
import { flowWorld } from '../support/flow-world.ts'
import { aMessage, baseUrl, questionId, quickAnswerSecret, vapid } from '../support/post-office.ts'
import { type Guard, orWhy, type WayOut, type WayResult, type Ways } from './way-out.ts'

const TOKEN = 'xoxb-a-token-of-the-tests'
const MOMENT = 100_000_000_000_000

/** Callbacks, pushes, ntfy, Slack, and the look at push services. */
export async function waysOfMessages(guard: Guard): Promise<Ways> {
  const { fetch } = guard
  const world = await flowWorld()
  const sender = createCallbackSender({
    ...{ db: world.db, clock: world.clock, log: silentLog, fetch },
    ...{ holder: 'here', random: () => 0 },
  })
  const common = { fetch, clock, quickAnswerSecret, baseUrl, sessionOf: async () => undefined }
  const ways: WayOut[] = [
    {
      name: 'a callback',
      through: ['src/ask/callbacks/post-sender.ts'],
      byStatus: true,
      ask: (base) => orWhy(callback(`${base}/hook`)),
    },
    {
      name: 'a link of the audit trail',
      through: ['src/ask/trail/post-trail.ts'],
      byStatus: true,
      ask: (base) => orWhy(trail(`${base}/trail`)),
    },
    {
      name: 'a Web Push message',
      through: ['src/ask/channels/web-push/channel.ts'],
      byStatus: true,
      ask: (base) =>
        sendMessage(createWebPush({ ...common, vapid, vapidSubject: undefined }), phone(base)),
    },
    {
      name: 'an ntfy message',
      through: ['src/ask/channels/ntfy/channel.ts'],
      ask: (base) =>
        sendMessage(createNtfy(common), {
          ...{ ...aDevice(), transport: 'ntfy', keys: undefined },
          ...{ endpoint: `${base}/topic`, authorization: 'Bearer tk_of_the_tests' },
        }),
    },
    {
      name: 'a call of Slack',
      through: ['src/ask/channels/slack/api.ts'],
      async ask(base) {
        const app = { botToken: TOKEN, apiUrl: `${base}/api` }
        const reply = await callSlack(fetch, app, 'chat.postMessage', {}, { now: clock.now() })
        return {
          taken: reply.outcome === 'done',
          why: 'reason' in reply ? reply.reason : 'refused',
        }
      },
    },
    {
      name: 'a call of Telegram',
      through: ['src/ask/channels/telegram/api.ts'],
      async ask(base) {
        const bot = { botToken: '123456789:AA-a-token-of-the-tests', apiUrl: base }
        const reply = await callTelegram(fetch, bot, 'sendMessage', {}, { now: clock.now() })
        return {
          taken: reply.outcome === 'done',
          why: 'reason' in reply ? reply.reason : 'refused',
        }
      },
    },
    {
      name: 'a private word in Slack',
      through: ['src/ask/channels/slack/answer-in-slack.ts'],
      byStatus: true,
      ask: whispered,
    },
    {
      name: 'the look at push services',
      through: ['src/ask/health/push-checks.ts'],
      byStatus: true,
      async ask(base) {
        const seen = servicesCheck(await reachServices(fetch, clock, [phone(base)]))
        return { taken: seen.state === 'ok', why: seen.said }
      },
    },
  ]

  async function callback(callbackUrl: string): Promise<WayResult> {
    const { db, deps } = world
    const call = world.call()
    const { workspaceId } = call.caller
    // Of its own for each: an open question with the same content would be joined.
    const ask = { question: `Deploy ${callbackUrl}?`, wait: false, callbackUrl }
    const { correlationId } = await askUser({ ...deps, outside: guard as never }, ask, call)
    const id = correlationId as QuestionId
    await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
    await sender.look()
    await sender.idle()
    const among = async (limit: number) =>
      (await readCallbacks({ db }, workspaceId, { limit })).items.find(
        ({ questionId }) => questionId === id,
      )
    const row = (await among(5)) ?? (await among(1_000))
    return { taken: row?.state === 'delivered', why: row?.lastError ?? undefined }
  }

  /** A change, sealed and posted; without one there is no link yet. */
  async function trail(url: string): Promise<WayResult> {
    const deps = { db: world.db, clock: world.clock, holder: 'here' }
    const { workspaceId } = world.call().caller
    const change = { workspaceId, kind: 'token.created' } as const
    await world.db.write((tx) =>
      recordAudit(tx, auditRecord(auditStamp(world.clock.now()), change)),
    )
    await sealAudit(deps)
    return { taken: (await postTrail({ ...deps, fetch, url })) > 0 }
  }

  async function whispered(base: string): Promise<WayResult> {
    const reply = Promise.withResolvers<Fetched>()
    const outside = {
      fetch: (...args: Parameters<Guard['fetch']>) => {
        fetch(...args).then(reply.resolve, reply.reject)
        return reply.promise
      },
    }
    const deps = { ...world.deps, outside, log: silentLog, baseUrl } as unknown as AnswerInSlackDeps
    const user = { id: 'U0ADA', shown: 'Ada', account: undefined }
    const place = { questionId, subscriberId: 'sub_none' as const }
    const pressed = { kind: 'press', place, choice: 'yes', user, triggerId: '1.2.3' } as const
    await answerInSlack(deps, { ...pressed, responseUrl: `${base}/respond` })
    const fetched = await reply.promise
    if (fetched.outcome === 'answered') return { taken: fetched.status < 300 }
    return { taken: false, why: fetched.reason }
  }

  return {
    ways,
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

const ua = createECDH('prime256v1')
ua.generateKeys()
const keys = {
  p256dh: ua.getPublicKey('base64url'),
  auth: randomBytes(16).toString('base64url'),
}

function phone(base: string): Subscriber {
  return { ...aDevice(), keys, endpoint: `${base}/push/phone` }
}

async function sendMessage(channel: Channel, to: Subscriber): Promise<WayResult> {
  const delivery: Delivery = { message: aMessage(), subjectId: questionId, expiresAt: MOMENT }
  const receipt = await channel.send(delivery, to, new AbortController().signal)
  return { taken: receipt.outcome === 'accepted', why: 'reason' in receipt ? receipt.reason : '' }
}
