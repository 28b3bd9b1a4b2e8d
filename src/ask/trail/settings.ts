import { setting, settingGroup, type ValuesOf } from '../../platform/config/setting.ts'
import { WEB_ADDRESS } from '../../platform/config/values.ts'

export const auditSettings = settingGroup({
  /** Where the sealed audit trail is posted. */
  url: setting('BECKON_AUDIT_URL', WEB_ADDRESS),
})

declare module '../../platform/config/config.ts' {
  interface Config {
    audit: ValuesOf<typeof auditSettings>
  }
}
