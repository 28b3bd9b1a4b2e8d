import { setting, settingGroup, type ValuesOf } from '../../../platform/config/setting.ts'
import { type Meaning, WEB_ADDRESS } from '../../../platform/config/values.ts'

/** The form of the bot tokens that @BotFather shows; the part before the colon is not secret. */
export const BOT_TOKEN_SHAPE = /^\d{1,20}:[\w-]{20,100}$/

const BOT_TOKEN: Meaning<string> = {
  must: 'a token of a Telegram bot, like 123456789:AA…, as @BotFather shows it',
  read: (text) => (BOT_TOKEN_SHAPE.test(text) ? text : undefined),
  secret: true,
}

/** The Telegram bot; without a token here one may be saved on a page. */
export const telegramSettings = settingGroup({
  botToken: setting('BECKON_TELEGRAM_BOT_TOKEN', BOT_TOKEN),
  /** Where the methods of the Bot API are, without a slash at the end. */
  apiUrl: setting('BECKON_TELEGRAM_API_URL', WEB_ADDRESS, 'https://api.telegram.org'),
})

declare module '../../../platform/config/config.ts' {
  interface Config {
    telegram: ValuesOf<typeof telegramSettings>
  }
}
