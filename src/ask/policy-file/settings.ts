import { setting, settingGroup, type ValuesOf } from '../../platform/config/setting.ts'
import { FILE_PATH } from '../../platform/config/values.ts'

export const policyFileSettings = settingGroup({
  /** The file that policy, groups and rules are read from. */
  path: setting('BECKON_POLICY_FILE', FILE_PATH),
})

declare module '../../platform/config/config.ts' {
  interface Config {
    policyFile: ValuesOf<typeof policyFileSettings>
  }
}
