import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { connect } from './devices.ts'
import { type NtfyServer, ntfyServer, type Published } from './ntfy-server.ts'
import { type Delivered, type PushServer, pushServer } from './push-server.ts'
import { buttonsOf } from './slack-server.ts'
import { type SlackWorld, slackWorld } from './slack-world.ts'
import { until } from './until.ts'

type Json = Record<string, unknown>

/** One question as it arrived on a phone, on a topic of ntfy, and in Slack. */
export type Arrived = {
  id: QuestionId
  phone: string
  push: Delivered
  published: Published
  /** Bytes of what was posted to ntfy. */
  posted: number
  blocks: string
  buttons: string[]
}

/** The whole server with a phone, a topic of ntfy and a channel of Slack, and an agent that asks. */
export type ThreeChannels = AsyncDisposable & {
  slack: SlackWorld
  push: PushServer
  ntfy: NtfyServer
  ask(args: Json, tool?: string): Promise<Arrived>
}

/** So that no call waits for an answer. */
const HOW: Record<string, Json> = { ask_user: { wait: false }, propose_scope: { timeoutMs: 1_000 } }

export async function threeChannels(): Promise<ThreeChannels> {
  const slack = await slackWorld()
  const push = await pushServer()
  const ntfy = await ntfyServer()
  const { db, workspaceId } = slack.world
  const [phone] = await connect(
    db,
    { workspaceId, kind: 'phone', ...push.subscribe('phone') },
    { workspaceId, kind: 'phone', transport: 'ntfy', endpoint: `${ntfy.origin}/topic` },
  )
  await slack.connect()

  let count = 0
  return {
    slack,
    push,
    ntfy,
    async ask(args, tool = 'ask_user') {
      const [pushes, topics, posts] = counts()
      const own = tool === 'ask_user' ? { requestId: `call-${++count}` } : {}
      const result = await slack.call(tool, { ...HOW[tool], ...own, ...args })
      await until(() => counts().every((count, i) => count > ([pushes, topics, posts][i] ?? 0)))
      const message = [...slack.slack.messages.values()].at(-1)
      const [delivered, published] = [push.delivered.at(-1), ntfy.published.at(-1)]
      if (!message || !delivered || !published) throw new Error('something did not arrive')
      return {
        id: (result.correlationId ?? result.linkedCorrelationId) as QuestionId,
        phone: phone?.id ?? '',
        push: delivered,
        published,
        posted: ntfy.sizes.at(-1) ?? 0,
        blocks: JSON.stringify(message.blocks),
        buttons: buttonsOf(message.blocks),
      }
    },
    async [Symbol.asyncDispose]() {
      await slack[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      await ntfy[Symbol.asyncDispose]()
    },
  }

  function counts(): number[] {
    return [push.delivered.length, ntfy.published.length, slack.slack.messages.size]
  }
}
