import type { PersonGone } from '../accounts/model/person-gone.ts'
import { dropQuickReplies, withdrawOf } from './model/gone-store.ts'

/** Withdraws what a removed person told sessions to do next, as far as nobody has it. */
export const INSTRUCTIONS_OF_GONE: PersonGone = {
  columns: {
    'instructions.person_id': { stays: 'who told an agent what to do' },
    'quick_replies.person_id': 'nothing',
  },
  async end(tx, { workspaceId, personId, at }) {
    await withdrawOf(tx, { workspaceId, personId }, at)
    await dropQuickReplies(tx, personId)
    return undefined
  },
  async off(tx, { workspaceId, personId, at }) {
    await withdrawOf(tx, { workspaceId, personId }, at)
    return undefined
  },
}
