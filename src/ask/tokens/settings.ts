import { setting, settingGroup, type ValuesOf } from '../../platform/config/setting.ts'
import { between } from '../../platform/config/values.ts'

// Beyond this, byte counts would no longer be exact integers everywhere.
const LIMIT_FACTOR_MAX = 1_000

export const tokenSettings = settingGroup({
  /** Multiplies the usual limits of a token. */
  limitFactor: setting('BECKON_TOKEN_LIMIT_FACTOR', between(1, LIMIT_FACTOR_MAX), 1),
})

declare module '../../platform/config/config.ts' {
  interface Config {
    tokens: ValuesOf<typeof tokenSettings>
  }
}
