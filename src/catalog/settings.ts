import { setting, settingGroup, type ValuesOf } from '../platform/config/setting.ts'
import { OFF_OR_ON, WEB_ADDRESS } from '../platform/config/values.ts'

export const catalogSettings = settingGroup({
  /** Whether reads of the catalog are limited for each address. */
  rateLimit: setting('BECKON_CATALOG_RATE_LIMIT', OFF_OR_ON, true),
  /** Whether the server measures the tools of the catalog. */
  probes: setting('BECKON_CATALOG_PROBES', OFF_OR_ON, true),
  /** An address that is always up, to tell our own outage from a vendor's. */
  canary: setting('BECKON_CATALOG_CANARY', WEB_ADDRESS),
})

declare module '../platform/config/config.ts' {
  interface Config {
    catalog: ValuesOf<typeof catalogSettings>
  }
}
