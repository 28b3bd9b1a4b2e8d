import { setting, settingGroup, type ValuesOf } from '../../../platform/config/setting.ts'
import { type Meaning, SECRET, WEB_ADDRESS } from '../../../platform/config/values.ts'

/** The form of Slack's bot tokens; `xoxe.` before it means one that Slack replaces after a while. */
export const SLACK_TOKEN_SHAPE = /^(xoxe\.)?xoxb-[\w-]{8,300}$/

const SLACK_TOKEN: Meaning<string> = {
  must: 'the bot token of a Slack app, xoxb-…, as its page OAuth & Permissions shows it',
  read: (text) => (SLACK_TOKEN_SHAPE.test(text) ? text : undefined),
  secret: true,
}

/** The Slack app; missing secrets may be saved on a page. */
export const slackSettings = settingGroup({
  botToken: setting('BECKON_SLACK_BOT_TOKEN', SLACK_TOKEN),
  signingSecret: setting('BECKON_SLACK_SIGNING_SECRET', SECRET),
  /** Where the methods of Slack's Web API are, without a slash at the end. */
  apiUrl: setting('BECKON_SLACK_API_URL', WEB_ADDRESS, 'https://slack.com/api'),
})

declare module '../../../platform/config/config.ts' {
  interface Config {
    slack: ValuesOf<typeof slackSettings>
  }
}
