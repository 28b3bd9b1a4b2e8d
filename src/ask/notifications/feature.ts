import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { SendNotificationDeps } from './send-notification.ts'

type Deps = SendNotificationDeps & { config: Config }

/** Messages that need no answer. */
export function notifications({ config, ...deps }: Deps): Feature {
  const { db, clock } = deps
  const { baseUrl } = config
  return {
    routes: async () => (await import('./rest.ts')).notificationRoutes(deps),
    pages: async () => (await import('./pages/pages.ts')).notificationPages({ db, clock, baseUrl }),
  }
}
