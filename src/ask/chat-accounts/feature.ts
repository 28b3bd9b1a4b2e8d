import type { Feature } from '../feature.ts'
import { countWords } from '../settings-row.ts'
import type { ChatAccountDeps } from './chat-accounts.ts'
import { listAccounts } from './model/store.ts'
import { chatAccountPaths } from './paths.ts'

/** Accounts in chats with which people answer as themselves. */
export function chatAccounts({ db, clock }: ChatAccountDeps): Feature {
  return {
    routes: async () => (await import('./rest.ts')).chatAccountRoutes({ db, clock }),
    pages: async () => (await import('./pages/account-page.tsx')).chatAccountPages({ db, clock }),
    settings: async () => [
      {
        group: 'you',
        to: chatAccountPaths.page,
        needs: 'act',
        icon: 'chat',
        name: 'Answer in chats',
        async state({ person: { workspaceId, id: personId } }) {
          const accounts = await listAccounts(db.read, { workspaceId, personId })
          return { words: countWords(accounts.length, 'account', 'No account') }
        },
      },
    ],
  }
}
