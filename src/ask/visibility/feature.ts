import { readVisibility } from '../accounts/model/workspace-store.ts'
import type { Feature } from '../feature.ts'
import type { VisibilityDeps } from './change-visibility.ts'
import { visibilityPath } from './paths.ts'

/** What members see of the questions of others. */
export function visibility({ db, clock }: VisibilityDeps): Feature {
  return {
    pages: async () => (await import('./pages/visibility.tsx')).visibilityPages({ db, clock }),
    settings: async () => {
      const { visibilityWords } = await import('./pages/visibility.tsx')
      return [
        {
          group: 'people',
          to: visibilityPath,
          icon: 'search',
          name: 'What members see',
          state: async ({ person }) => ({
            words: visibilityWords(await readVisibility(db.read, person.workspaceId)),
          }),
        },
      ]
    },
  }
}
