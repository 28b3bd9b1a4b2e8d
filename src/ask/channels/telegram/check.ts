import { type Check, failedCheck, passedCheck, warnedCheck } from '../../check.ts'
import type { CheckContext } from '../../delivery/channel-module.ts'
import { lookAtTelegram } from './connect-telegram.ts'

const NAME = 'Telegram'

/**
 * Checks that Telegram accepts the token; reports nothing if no bot is set up and no chat is
 * connected.
 */
export async function telegramChecks(context: CheckContext): Promise<Check[]> {
  const { config, clock, fetch, read, devices } = context
  const telegramState = await lookAtTelegram({
    db: { read },
    clock,
    config: config.telegram,
    fetch,
  })
  if (telegramState.state === 'fails') {
    const cure =
      'Settings, Telegram takes a new token; beckon docs telegram says what each refusal means.'
    return [failedCheck('push', NAME, telegramState.said, cure)]
  }
  if (telegramState.state === 'works') {
    const takes = `Telegram accepts the token of @${telegramState.bot}.`
    if (new URL(config.baseUrl).hostname !== 'localhost') return [passedCheck('push', NAME, takes)]
    const cure = 'Set BECKON_BASE_URL to the address under which your phone reaches this server.'
    return [warnedCheck('push', NAME, `${takes} Its links lead to localhost.`, cure)]
  }
  if (devices.every(({ transport }) => transport !== 'telegram')) return []
  const message = 'A Telegram chat is connected, but no bot is set up: nothing is sent to it.'
  const cure = 'Save the token of the bot under Settings, Telegram, or remove the chat.'
  return [failedCheck('push', NAME, message, cure)]
}
