import type { Config } from '../../platform/config/config.ts'
import type { OutboxDeps } from '../../platform/db/outbox.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { keepPosting } from '../callbacks/post-sender.ts'
import type { Feature } from '../feature.ts'
import type { SendNotificationDeps } from '../notifications/send-notification.ts'
import { countWords } from '../settings-row.ts'
import { listWatches } from './model/store.ts'
import type { ReadPublishedNews } from './model/watched-catalog.ts'
import { watchPaths } from './paths.ts'
import { createNewsSender } from './post-news.ts'

type Deps = OutboxDeps &
  SendNotificationDeps & {
    config: Pick<Config, 'baseUrl'>
    secrets: Secrets
    outside: GuardedFetch
    publishedNews: ReadPublishedNews
  }

/** What people and programs watch in the catalog, and how they are told. */
export function watches(deps: Deps): Feature {
  const { db, clock, outside, publishedNews: published } = deps
  const { baseUrl } = deps.config
  const { quickAnswerSecret } = deps.secrets
  return {
    jobs: [
      (report) => {
        const telling = import('./keep-telling.ts').then(({ keepTelling }) =>
          keepTelling({ ...deps, baseUrl, quickAnswerSecret, published }, report),
        )
        return { [Symbol.asyncDispose]: async () => (await telling)[Symbol.asyncDispose]() }
      },
      (report) => {
        const { fetch } = outside
        const sender = createNewsSender({ ...deps, fetch, random: Math.random })
        return keepPosting(deps, 'watchPost', sender, report)
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
