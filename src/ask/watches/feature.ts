import type { Config } from '../../platform/config/config.ts'
import type { OutboxDeps } from '../../platform/db/outbox.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { Feature } from '../feature.ts'
import type { SendNotificationDeps } from '../notifications/send-notification.ts'
import { countWords } from '../settings-row.ts'
import { listWatches } from './model/store.ts'
import type { ReadPublishedNews } from './model/watched-catalog.ts'
import { watchPaths } from './paths.ts'

type Deps = OutboxDeps &
  SendNotificationDeps & {
    config: Pick<Config, 'baseUrl'>
    secrets: Secrets
    outside: GuardedFetch
    publishedNews: ReadPublishedNews
  }

// A look without news reads two rows; the catalog itself changes every quarter of an hour at most.
const LOOK_EVERY_MS = 10_000

/** What people and programs watch in the catalog, and how they are told. */
export function watches(deps: Deps): Feature {
  const { db, clock, outside, publishedNews: published } = deps
  const { baseUrl } = deps.config
  const { quickAnswerSecret } = deps.secrets
  return {
    jobs: [
      (report) => {
        const tell = async () => {
          const { tellWatchers } = await import('./tell-watchers.ts')
          await tellWatchers({ ...deps, baseUrl, quickAnswerSecret, published, report })
        }
        return repeatEvery(clock, LOOK_EVERY_MS, tell, report)
      },
    ],
    routes: async () => (await import('./rest.ts')).watchRoutes({ db, clock, outside, published }),
    pages: async () =>
      (await import('./pages/pages.ts')).watchPages({
        ...{ db, clock, published, baseUrl, quickAnswerSecret },
      }),
    settings: async () => [
      {
        group: 'you',
        to: watchPaths.watches,
        icon: 'bell',
        name: 'Watches',
        async state({ person: { id: personId, workspaceId } }) {
          const own = await listWatches(db.read, { workspaceId, personId })
          if (own.some(({ stoppedAt }) => stoppedAt !== undefined))
            return { words: 'Messages are stopped', tone: 'wait' }
          return {
            words: countWords(own.length, 'watch', 'Nothing of the catalog').replace(
              /watchs$/,
              'watches',
            ),
          }
        },
      },
    ],
  }
}
