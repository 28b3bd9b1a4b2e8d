import type { ChannelModule } from '../../delivery/channel-module.ts'
import { chatState } from '../../subscribers/reach-state.ts'
import { readBot } from './bot.ts'
import { createTelegram } from './channel.ts'
import { telegramChecks } from './check.ts'
import { keepListening } from './listen.ts'
import { telegramPaths } from './paths.ts'

/** Private chats of people with a bot, where a question has a button that opens its page. */
export const telegram: ChannelModule = {
  name: 'telegram',
  kinds: ['chat'],
  service: () => 'Telegram',
  ownPage: {
    to: telegramPaths.settings,
    name: 'Add Telegram',
    what: 'Questions and news as messages of a bot, with a button that opens the question.',
  },
  create: ({ config, db, clock, secrets, outside, sessions }) =>
    createTelegram({
      config: config.telegram,
      read: db.read,
      fetch: outside.fetch,
      clock,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
      sessionOf: sessions.ofMessage,
    }),
  job({ config, db, clock, outside, holder, questions, sessions }, report) {
    const answers = { questions, sessions, baseUrl: config.baseUrl }
    const of = { config: config.telegram, db, clock, holder, fetch: outside.fetch, answers }
    return keepListening(of, report)
  },
  settings: {
    row: ({ config, db }) => ({
      group: 'reach',
      to: telegramPaths.settings,
      needs: 'act',
      icon: 'chat',
      name: 'Telegram',
      async state({ person: { workspaceId } }) {
        const { botToken } = await readBot(db.read, config.telegram)
        const of = { workspaceId, transport: 'telegram', isSetUp: botToken !== undefined }
        return chatState(db.read, of)
      },
    }),
    async pages({ db, clock, config, outside }) {
      const { telegramPages } = await import('./pages/telegram.tsx')
      const { baseUrl, telegram: bot } = config
      return telegramPages({ db, clock, config: bot, fetch: outside.fetch, baseUrl })
    },
  },
  check: telegramChecks,
}
