import { setting, settingGroup, type ValuesOf } from '../../platform/config/setting.ts'
import { atLeast } from '../../platform/config/values.ts'

export const retentionSettings = settingGroup({
  /** For how many days ended questions and notifications are kept. */
  days: setting('BECKON_RETENTION_DAYS', atLeast(1), 90),
})

declare module '../../platform/config/config.ts' {
  interface Config {
    retention: ValuesOf<typeof retentionSettings>
  }
}
