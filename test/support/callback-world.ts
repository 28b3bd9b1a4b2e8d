import { setSystemTime } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { askUser } from '../../src/ask/asking/ask-user.ts'
import { readCallbackSecrets } from '../../src/ask/callbacks/callback-secret.ts'
import { createCallbackSender } from '../../src/ask/callbacks/deliver-callbacks.ts'
import type { PostDeps, PostSender } from '../../src/ask/callbacks/post-sender.ts'
import { type LoggedCallback, readCallbacks } from '../../src/ask/callbacks/read-callbacks.ts'
import type { AskUserInput } from '../../src/ask/wire/ask-fields.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import {
  createGuardedFetch,
  type GuardedRequest,
} from '../../src/platform/outgoing/guarded-fetch.ts'
import { type CallbackReceiver, callbackReceiver, type Received } from './callback-receiver.ts'
import { type FlowWorld, flowWorld } from './flow-world.ts'

export type CallbackWorld = AsyncDisposable & {
  flows: FlowWorld
  workspaceId: WorkspaceId
  receiver: CallbackReceiver
  sender: PostSender
  /** What each request was told to keep to. */
  requested: GuardedRequest[]
  /** Another process over the same database. */
  process(holder: string, more?: Partial<PostDeps>): PostSender
  /** Asks with this callbackUrl and answers yes; sends nothing by itself. */
  answered(callbackUrl: string, more?: Partial<AskUserInput>): Promise<QuestionId>
  /** Sends what is due, and waits until all of it has come to something. */
  send(sender?: PostSender): Promise<void>
  callbacks(): Promise<LoggedCallback[]>
  secret(): Promise<string>
}

// Long enough for loopback on a busy machine, short enough for a test that waits for nobody.
const PATIENCE_MS = 1_500

/** Questions, a receiver, and a sender between them on a clock that only moves when told. */
export async function callbackWorld(): Promise<CallbackWorld> {
  const flows = await flowWorld()
  const receiver = await callbackReceiver()
  const guarded = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const { db, clock } = flows
  const deps = { ...flows.deps, outside: guarded }
  const workspaceId = flows.call().caller.workspaceId
  const requested: GuardedRequest[] = []
  const world: CallbackWorld = {
    flows,
    workspaceId,
    receiver,
    requested,
    process: (holder: string, more: Partial<PostDeps> = {}) =>
      createCallbackSender({
        db,
        clock,
        log: silentLog,
        holder,
        random: () => 0,
        fetch(url, request = {}) {
          requested.push(request)
          return guarded.fetch(url, { ...request, timeoutMs: PATIENCE_MS })
        },
        ...more,
      }),
    async answered(callbackUrl: string, more: Partial<AskUserInput> = {}) {
      const ask = { question: 'Deploy?', wait: false, ...more, callbackUrl }
      const { correlationId } = await askUser(deps, ask, flows.call())
      const questionId = correlationId as QuestionId
      await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
      return questionId
    },
    async send(sender: PostSender = world.sender) {
      await sender.look()
      await sender.idle()
    },
    callbacks: async () => (await readCallbacks({ db }, workspaceId, { limit: 100 })).items,
    secret: async () => (await readCallbackSecrets({ db, clock }, workspaceId)).current.secret,
    sender: undefined as unknown as PostSender,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await world.sender[Symbol.asyncDispose]()
      await flows[Symbol.asyncDispose]()
    },
  }
  world.sender = world.process('this process')
  return world
}

/** What the published library makes of a request that arrived at `now`. */
export function verified(secret: string, { body, headers }: Received, now: number): unknown {
  setSystemTime(now)
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    setSystemTime()
  }
}

/** Moves on to the next attempt that is due, and makes it. */
export async function nextAttempt(world: CallbackWorld) {
  const [callback] = await world.callbacks()
  await world.flows.clock.advance((callback?.nextAt ?? 0) - world.flows.clock.now())
  await world.send()
}

/** The code of the failure that `work` ends in. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing',
    (error) => error.code,
  )
}
