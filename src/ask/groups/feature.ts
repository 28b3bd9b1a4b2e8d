import type { Feature } from '../feature.ts'
import { countWords } from '../settings-row.ts'
import type { GroupDeps } from './groups.ts'
import { listGroups } from './model/store.ts'
import { groupPaths } from './paths.ts'

/** Groups of people, which approver rules name. */
export function groups({ db, clock, guard }: GroupDeps): Feature {
  return {
    routes: async () => (await import('./rest.ts')).groupRoutes({ db, clock, guard }),
    pages: async () => (await import('./pages/pages.ts')).groupPages({ db, clock, guard }),
    settings: async () => [
      {
        group: 'people',
        to: groupPaths.groups,
        icon: 'sessions',
        name: 'Groups',
        async state({ person }) {
          const { length } = await listGroups(db.read, person.workspaceId)
          return { words: countWords(length, 'group', 'No groups') }
        },
      },
    ],
  }
}
