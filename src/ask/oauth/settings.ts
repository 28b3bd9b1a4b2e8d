import { setting, settingGroup, type ValuesOf } from '../../platform/config/setting.ts'
import { OFF_OR_ON } from '../../platform/config/values.ts'

export const oauthSettings = settingGroup({
  /** Whether MCP clients may sign in; undefined leaves it to the data folder and the address. */
  signIn: setting('BECKON_OAUTH', OFF_OR_ON),
  /** Whether clients are offered to be known by a document that this server fetches. */
  clientDocuments: setting('BECKON_OAUTH_CLIENT_DOCUMENTS', OFF_OR_ON, true),
})

declare module '../../platform/config/config.ts' {
  interface Config {
    oauth: ValuesOf<typeof oauthSettings>
  }
}
