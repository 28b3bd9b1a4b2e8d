import type { PersonGone } from '../accounts/model/person-gone.ts'
import { passClientsOn } from './model/gone-store.ts'

/** Clients that they set up by hand are the workspace's; what they allowed ends with its token. */
export const CLIENTS_OF_GONE: PersonGone = {
  columns: { 'oauth_clients.created_by': 'nothing' },
  async end(tx, { workspaceId, personId, by }) {
    await passClientsOn(tx, { workspaceId, from: personId, to: by.id })
    return undefined
  },
}
