import { createSlack } from '../../src/ask/channels/slack/api.ts'
import { createSlackChannel } from '../../src/ask/channels/slack/channel.ts'
import { channelEndpoint } from '../../src/ask/channels/slack/place.ts'
import { createSender } from '../../src/ask/delivery/fan-out.ts'
import { listDeliveries } from '../../src/ask/delivery/model/store.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { whoEnded } from '../../src/ask/questions/who-ended.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { settle } from './fake-clock.ts'
import { flowWorld } from './flow-world.ts'
import { onEnded } from './on-ended.ts'
import { retryDeliveries } from './retry-deliveries.ts'
import { slackServer } from './slack-server.ts'

/** The flows with Slack as their only channel, on a clock that only moves when told. */
export async function slackOffice() {
  const world = await flowWorld()
  const slackAt = await slackServer()
  const { db, clock } = world
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const { apiUrl, botToken, signingSecret } = slackAt
  const slack = createSlack({ read: db.read, config: { apiUrl, botToken, signingSecret }, fetch })
  const channel = createSlackChannel({
    ...{ slack, read: db.read, clock, baseUrl: 'https://beckon.example.com' },
    sessionOf: async () => undefined,
    about: async (workspaceId, subject) => {
      const question = await findQuestion(db.read, workspaceId, subject as QuestionId)
      return question && { question, who: await whoEnded({ db }, question) }
    },
  })
  const openSender = (holder: string) =>
    createSender({ db, clock, log: silentLog, channels: [channel], holder })
  const sender = openSender('first')
  const connected = await world.device('#ops', {
    ...{ kind: 'chat', transport: 'slack', keys: undefined },
    endpoint: channelEndpoint(apiUrl, 'C0OPS'),
  })
  const { workspaceId } = connected

  return {
    ...{ world, db, clock, slackAt, slack, channel, connected, openSender, sender },
    deps: { ...world.deps, sender, onEnded: onEnded(sender) },
    retry: (by = sender) => retryDeliveries({ db, clock, sender: by }),
    rows: (id: string) => listDeliveries(db.read, workspaceId, id as QuestionId),
    /** Lets requests on loopback come and go, and their outcomes be written. */
    async calm() {
      for (let i = 0; i < 20; i++) {
        await Bun.sleep(2)
        await settle()
      }
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
      await slackAt[Symbol.asyncDispose]()
    },
  }
}
