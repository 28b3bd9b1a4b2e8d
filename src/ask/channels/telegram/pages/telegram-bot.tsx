/** @jsxImportSource preact */

import { FormField, type Wrong } from '../../../../platform/web/form.tsx'
import type { TelegramBot } from '../bot.ts'
import { telegramPaths } from '../paths.ts'

type Props = { bot: TelegramBot; wrong: Wrong }

/** The bot: how to make one, and the form for its token, which is never shown. */
export function TelegramBotPart({ bot, wrong }: Props) {
  const isSaved = bot.botToken !== undefined
  return (
    <section class="part new" aria-labelledby="bot-title">
      <h2 id="bot-title">The bot of this server</h2>
      {bot.fixed ? (
        <p class="soft">
          Its token is set in the configuration of this server, which overrides this page.
        </p>
      ) : (
        <>
          {!isSaved && <Steps />}
          <TokenForm isSaved={isSaved} wrong={wrong} />
          {isSaved && <Forget />}
        </>
      )}
    </section>
  )
}

function Steps() {
  return (
    <ol class="steps">
      <li>
        <span>
          In Telegram write <code>/newbot</code> to{' '}
          <a href="https://t.me/BotFather" rel="noreferrer noopener" target="_blank">
            @BotFather
          </a>
          , and give the bot a name.
        </span>
      </li>
      <li>
        <span>Copy the token that it shows into the form below. Use the bot for nothing else.</span>
      </li>
    </ol>
  )
}

function TokenForm({ isSaved, wrong }: { isSaved: boolean; wrong: Wrong }) {
  return (
    <form method="post" action={telegramPaths.settings}>
      <FormField
        name="botToken"
        label={isSaved ? 'A new token in its place' : 'Token'}
        type="password"
        required
        maxLength={130}
        placeholder="123456789:AA…"
        wrong={wrong}
      />
      <button type="submit" class={isSaved ? '' : 'primary'}>
        {isSaved ? 'Replace it' : 'Set up the bot'}
      </button>
    </form>
  )
}

function Forget() {
  return (
    <details class="removing">
      <summary>Forget it</summary>
      <form method="post" action={telegramPaths.forget}>
        <p>Nothing is sent to Telegram any more. Its chats stay in the list of devices.</p>
        <button type="submit" class="small bad">
          Forget the token
        </button>
      </form>
    </details>
  )
}
