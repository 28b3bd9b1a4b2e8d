import type { Feature } from '../feature.ts'
import { countWords } from '../settings-row.ts'
import type { RotaDeps } from './change-rotas.ts'
import { listRotas } from './model/store.ts'
import { rotaPaths } from './paths.ts'

/** Who is on call: people in turns, or as a calendar elsewhere has it. */
export function rota({ db, clock }: RotaDeps): Feature {
  return {
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
