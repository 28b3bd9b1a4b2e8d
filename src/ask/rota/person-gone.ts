import type { PersonGone } from '../accounts/model/person-gone.ts'
import { listRotas } from './model/store.ts'

/** The turns of a removed person become holes, which pages and the doctor show: nobody else’s turn moves. */
export const ROTA_OF_GONE: PersonGone = {
  columns: {
    'rotas.schedule': { stays: 'the turns of others must not move because one is gone' },
    'rota_overrides.person_id': {
      stays: 'a time that somebody took over must not fall to another unasked',
    },
  },
  async list(read, { workspaceId, personId }) {
    const rotas = await listRotas(read, workspaceId)
    const names = rotas
      .filter(({ schedule }) => schedule?.people.includes(personId))
      .map(({ name }) => name)
    if (names.length === 0) return []
    return [`Their turns in ${names.join(', ')}: nobody is on call in them until you change that.`]
  },
}
