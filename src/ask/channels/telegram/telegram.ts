import type { ChannelModule } from '../../delivery/channel-module.ts'
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
  create: ({ config, db, clock, secrets, outside }) =>
    createTelegram({
      config: config.telegram,
      read: db.read,
      fetch: outside.fetch,
      clock,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
    }),
  job: ({ config, db, clock, outside, holder }, report) =>
    keepListening({ config: config.telegram, db, clock, holder, fetch: outside.fetch }, report),
  settings: {
    link: {
      to: telegramPaths.settings,
      icon: 'chat',
      name: 'Telegram',
      sub: 'Questions in a chat with a bot',
    },
    async pages({ db, clock, config, outside }) {
      const { telegramPages } = await import('./pages/telegram.tsx')
      return telegramPages({ db, clock, config: config.telegram, fetch: outside.fetch })
    },
  },
  check: telegramChecks,
}
