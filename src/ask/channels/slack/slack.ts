import type { ChannelContext, ChannelModule } from '../../delivery/channel-module.ts'
import { findQuestion } from '../../questions/model/store.ts'
import { chatState } from '../../subscribers/reach-state.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { createSlack } from './api.ts'
import { createSlackChannel } from './channel.ts'
import { slackChecks } from './check.ts'
import { slackPaths } from './paths.ts'

function api({ db, config, outside }: ChannelContext) {
  return createSlack({ read: db.read, config: config.slack, fetch: outside.fetch })
}

/** Channels and people of a Slack workspace, where questions are answered with buttons. */
export const slack: ChannelModule = {
  name: 'slack',
  isShared: true,
  kinds: ['chat'],
  service: () => 'Slack',
  create(context) {
    const { db, clock, config, questions, sessions } = context
    return createSlackChannel({
      slack: api(context),
      read: db.read,
      clock,
      baseUrl: config.baseUrl,
      sessionOf: sessions.ofMessage,
      async about(workspaceId, subject) {
        const question = await findQuestion(db.read, workspaceId, subject as QuestionId)
        return question && { question, who: await questions.whoEnded(question) }
      },
    })
  },
  async routes(context) {
    const { slackRoutes } = await import('./rest.ts')
    const { db, clock, log, config, outside, questions, sessions } = context
    const { baseUrl } = config
    return slackRoutes({
      slack: api(context),
      db,
      clock,
      log,
      baseUrl,
      outside,
      questions,
      sessions,
    })
  },
  settings: {
    row: (context) => ({
      group: 'reach',
      to: slackPaths.app,
      icon: 'chat',
      name: 'Slack',
      needs: 'slack',
      async state({ person: { workspaceId } }) {
        const { botToken } = await api(context).app()
        const of = { workspaceId, transport: 'slack', isSetUp: botToken !== undefined }
        return chatState(context.db.read, of)
      },
    }),
    async pages(context) {
      const { slackPages } = await import('./pages/slack.tsx')
      const { db, clock, config, outside } = context
      return slackPages({ db, clock, outside, slack: api(context), baseUrl: config.baseUrl })
    },
  },
  check: slackChecks,
}
