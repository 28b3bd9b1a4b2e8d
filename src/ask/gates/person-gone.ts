import type { PersonGone } from '../accounts/model/person-gone.ts'

/** What an owner confirmed holds on, as their rules do. */
export const GATES_OF_GONE: PersonGone = {
  columns: {
    'gate_tools.confirmed': { stays: 'a confirmation names the owner who gave it' },
    'gate_versions.confirmed': { stays: 'a confirmation names the owner who gave it' },
  },
}
