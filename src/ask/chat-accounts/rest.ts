import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { oneOf } from '../../platform/schema.ts'
import { may } from '../accounts/model/person.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { type ChatAccountDeps, unlinkAccount } from './chat-accounts.ts'
import { type ChatService, SERVICE_NAMES } from './model/account.ts'
import { listAccounts } from './model/store.ts'

const SERVICES = Object.keys(SERVICE_NAMES) as ChatService[]

const getAccounts = personRoute(
  {
    method: 'GET',
    path: '/chat-accounts',
    summary: 'The accounts in chats that answer as a person: your own, and for owners all.',
    result: Type.Object({
      accounts: Type.Array(
        Type.Object({
          service: oneOf(SERVICES),
          account: Type.String({ description: 'Its id at the service.' }),
          label: Type.String(),
          personId: Type.String({ description: 'As whom it answers.' }),
          createdAt: Type.String({ format: 'date-time' }),
        }),
      ),
    }),
  },
  async ({ db }: ChatAccountDeps, { person }) => {
    const { workspaceId, id } = person
    const personId = may(person, 'people') ? undefined : id
    const accounts = await listAccounts(db.read, { workspaceId, personId })
    return {
      accounts: accounts.map(({ service, account, label, personId, createdAt }) => ({
        ...{ service, account, label, personId },
        createdAt: isoTime(createdAt),
      })),
    }
  },
)

const deleteAccount = personRoute(
  {
    method: 'DELETE',
    path: '/chat-accounts/:service/:account',
    summary: 'Unlink an account, which then answers nothing; owners may do it for others.',
    problems: ['not_found'],
  },
  (deps: ChatAccountDeps, { person, params: { service, account = '' } }) =>
    unlinkAccount(deps, person, { service: service as ChatService, account }),
)

export function chatAccountRoutes(deps: ChatAccountDeps): Route[] {
  return withDeps(deps, [getAccounts, deleteAccount])
}
