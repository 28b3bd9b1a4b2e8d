import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Log } from '../../src/platform/log.ts'
import { type PageWorld, pageWorld } from './page-world.ts'
import { type SlackServer, slackServer } from './slack-server.ts'
import { until } from './until.ts'

type Json = Record<string, unknown>

/** The whole server with a Slack app, an owner, and an agent's token. */
export type SlackWorld = AsyncDisposable & {
  world: PageWorld
  slack: SlackServer
  /** Connects a channel as the owner does on the page; the id of the device. */
  connect(channel?: string): Promise<string>
  call(name: string, args: Json): Promise<Json>
  /** Asks without waiting, until Slack has it; the id of the question. */
  ask(args: Json): Promise<QuestionId>
  question(id: QuestionId): ReturnType<typeof findQuestion>
  devices(): ReturnType<typeof listSubscribers>
}

export async function slackWorld(
  how: { inEnvironment?: boolean; log?: Log } = {},
): Promise<SlackWorld> {
  const { inEnvironment = true, log } = how
  const slack = await slackServer()
  const secrets = {
    BECKON_SLACK_BOT_TOKEN: slack.botToken,
    BECKON_SLACK_SIGNING_SECRET: slack.signingSecret,
  }
  const env = {
    BECKON_SLACK_API_URL: slack.apiUrl,
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    ...(inEnvironment ? secrets : {}),
  }
  const world = await pageWorld({ env, ...(log ? { log } : {}) })
  const { db, workspaceId, url } = world
  const created = await createToken({ db, clock: systemClock }, { workspaceId, name: 'agent' })
  const client = new Client({ name: 'tester', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${created.token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp/mcp`), {
    requestInit,
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const devices = () => listSubscribers(db.read, workspaceId)

  async function call(name: string, args: Json) {
    const result = await client.callTool({ name, arguments: args })
    return (result.structuredContent ?? result) as Json
  }

  // An identical question would join the one that is open.
  let asks = 0
  return {
    ...{ world, slack, call, devices },
    async connect(channel = '#ops') {
      const before = new Set((await devices()).map(({ id }) => id))
      const answered = await world.post('/settings/slack/channels', { channel, label: '' })
      if (answered.status !== 303) throw new Error(await answered.text())
      return (await devices()).find(({ id }) => !before.has(id))?.id ?? ''
    },
    async ask(args) {
      const posted = slack.messages.size
      const { correlationId } = await call('ask_user', {
        wait: false,
        requestId: `slack-${posted}-${asks++}`,
        ...args,
      })
      await until(() => slack.messages.size > posted)
      return correlationId as QuestionId
    },
    question: (id) => findQuestion(db.read, workspaceId, id),
    async [Symbol.asyncDispose]() {
      await client.close()
      await world[Symbol.asyncDispose]()
      await slack[Symbol.asyncDispose]()
    },
  }
}
