import { emailSettings } from './ask/channels/email/settings.ts'
import { slackSettings } from './ask/channels/slack/settings.ts'
import { telegramSettings } from './ask/channels/telegram/settings.ts'
import { webPushSettings } from './ask/channels/web-push/settings.ts'
import { companySettings } from './ask/company/settings.ts'
import { oauthSettings } from './ask/oauth/settings.ts'
import { policyFileSettings } from './ask/policy-file/settings.ts'
import { retentionSettings } from './ask/retention/settings.ts'
import { tokenSettings } from './ask/tokens/settings.ts'
import { auditSettings } from './ask/trail/settings.ts'
import { catalogSettings } from './catalog/settings.ts'
import { createConfigReader } from './platform/config/config-reader.ts'

/**
 * The settings of all features and channels. Loads nothing else of theirs: commands read settings
 * before the program is loaded, and most of them never load it.
 */
export const configReader = createConfigReader({
  webPush: webPushSettings,
  slack: slackSettings,
  telegram: telegramSettings,
  smtp: emailSettings,
  company: companySettings,
  oauth: oauthSettings,
  retention: retentionSettings,
  tokens: tokenSettings,
  audit: auditSettings,
  policyFile: policyFileSettings,
  catalog: catalogSettings,
})

export const { readConfig, readEnvironment } = configReader
