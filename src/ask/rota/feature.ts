import type { Feature } from '../feature.ts'
import { countWords } from '../settings-row.ts'
import { keepReadingFeeds, type ReadFeedsDeps } from './keep-reading-feeds.ts'
import { listRotas } from './model/store.ts'
import { rotaPaths } from './paths.ts'

/** Who is on call: people in turns, or as a calendar elsewhere has it. */
export function rota(deps: ReadFeedsDeps): Feature {
  const { db, clock } = deps
  return {
    jobs: [(report) => keepReadingFeeds(deps, report)],
    routes: async () => (await import('./rest.ts')).rotaRoutes({ db, clock }),
    pages: async () => (await import('./pages/pages.ts')).rotaPages({ db, clock }),
    settings: async () => [
      {
        group: 'people',
        to: rotaPaths.rotas,
        icon: 'sessions',
        name: 'Rotas',
        async state({ person }) {
          const { length } = await listRotas(db.read, person.workspaceId)
          return { words: countWords(length, 'rota', 'No rotas') }
        },
      },
    ],
  }
}
