// The tables of accounts in chats: which person answers there, the links that prove it, and the
// messages whose reply is an answer.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { ChatAct, ChatService } from './account.ts'

export const chatAccounts = sqliteTable(
  'chat_accounts',
  {
    service: text<ChatService>('service').notNull(),
    /** The id of the account at the service. */
    account: text('account').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    label: text('label').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.service, table.account] }),
    index('chat_accounts_person').on(table.personId),
  ],
)

/** The codes of links that only the holder of an account was shown. */
export const accountCodes = sqliteTable('account_codes', {
  hash: text('hash').primaryKey(),
  /** Who alone may use it: the person whose chat it was sent to. */
  personId: text<PersonId>('person_id'),
  service: text<ChatService>('service').notNull(),
  account: text('account').notNull(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  label: text('label').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** Messages of ours that a person replies to. */
export const chatPrompts = sqliteTable('chat_prompts', {
  /** The service's id of the message. */
  ref: text('ref').primaryKey(),
  account: text('account').notNull(),
  act: text<ChatAct>('act').notNull(),
  subject: text('subject').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
