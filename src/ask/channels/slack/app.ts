import type { Read, Tx } from '../../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../../platform/db/settings-store.ts'

/** The credentials of a Slack app; both are secrets. */
export type SlackSecrets = { botToken: string; signingSecret: string }

/** The operator's settings, from the environment or `beckon.toml`; they override what is saved. */
export type SlackConfig = {
  botToken: string | undefined
  signingSecret: string | undefined
  apiUrl: string
}

/** The Slack app as it is now; without the secret answers fail, without the token nothing is sent. */
export type SlackApp = SlackConfig & {
  /** True if the operator has set both secrets, so that saved ones are not used. */
  fixed: boolean
}

const NAME = 'slack_app'

export async function readSlackApp(read: Read, config: SlackConfig): Promise<SlackApp> {
  const text = await readSetting(read, NAME)
  const saved: Partial<SlackSecrets> = text === undefined ? {} : JSON.parse(text)
  return {
    botToken: config.botToken ?? saved.botToken,
    signingSecret: config.signingSecret ?? saved.signingSecret,
    apiUrl: config.apiUrl,
    fixed: config.botToken !== undefined && config.signingSecret !== undefined,
  }
}

export async function saveSlackApp(tx: Tx, secrets: SlackSecrets, now: number): Promise<void> {
  const { botToken, signingSecret } = secrets
  await putSetting(tx, NAME, JSON.stringify({ botToken, signingSecret }), now)
}

export async function dropSlackApp(tx: Tx): Promise<void> {
  await dropSetting(tx, NAME)
}
