import type { Metrics } from '../../platform/metrics.ts'
import type { Feature } from '../feature.ts'
import type { Policies } from '../policy/model/store.ts'
import type { Callers } from '../rest/route.ts'
import type { SettingsRow } from '../settings-row.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'
import type { AskMeDeps } from './ask-me.ts'
import { createEventHub } from './event-hub.ts'

type Deps = Pick<Callers, 'authentication'> &
  AskMeDeps & {
    metrics: Metrics
    policies: Policies
    /** The rows of the settings page, of all features. */
    settingsRows(): Promise<readonly SettingsRow[]>
    openPages: OpenPages
    config: { baseUrl: string }
    /** Aborts when the server begins to close. */
    closing: AbortSignal
  }

/** The first page of people, and the events that keep their pages up to date. */
export function home(deps: Deps): Feature {
  const { db, clock, metrics, authentication, closing, openPages } = deps
  const events = createEventHub({ db, clock })
  metrics.figure({
    name: 'beckon_event_streams',
    kind: 'gauge',
    help: 'Pages and programs that follow what happens (server-sent events) now.',
    read: events.watching,
  })
  return {
    routes: async () => {
      const { eventRoutes } = await import('./events.ts')
      const { visiblePageRoutes } = await import('./visible-pages.ts')
      return [
        ...eventRoutes({ clock, events, authentication, closing, openPages }),
        ...visiblePageRoutes({ openPages }),
      ]
    },
    pages: async () => (await import('./pages/pages.ts')).homePages(deps),
  }
}
