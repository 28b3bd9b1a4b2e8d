import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropTurnsOf } from './model/store.ts'

/** No open question goes to them when nobody else answers. */
export const TURNS_OF_GONE: PersonGone = {
  columns: {
    'failovers.steps': { stays: 'only with questions that have ended' },
    'failovers.waiting': { stays: 'only with questions that have ended' },
    'failovers.told': { stays: 'who was told, and when' },
  },
  async end(tx, removal) {
    await dropTurnsOf(tx, removal)
    return undefined
  },
}
