// The tables of company sign-in: providers, sign-ins on their way, and logout tokens that came.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Arrival } from './arrival.ts'
import type { FlowPurpose } from './flow.ts'
import type { ProviderSettings } from './provider.ts'

export const providers = sqliteTable(
  'providers',
  {
    id: text('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    settings: json<ProviderSettings>('settings').notNull(),
    secret: text('secret'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('providers_workspace').on(table.workspaceId)],
)

/** Sign-ins that have begun, each bound to one browser and used once. */
export const signInFlows = sqliteTable(
  'sign_in_flows',
  {
    /** SHA-256 of the state that goes to the provider and comes back, hex. */
    hash: text('hash').primaryKey(),
    provider: text('provider').notNull(),
    /** SHA-256 of the cookie of the browser that began it, hex. */
    browserHash: text('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    /** The page of ours that it leads to. */
    next: text('next').notNull(),
    purpose: text<FlowPurpose>('purpose').notNull(),
    /** Whose account is connected: who asked for it, or has to confirm it. */
    personId: text<PersonId>('person_id'),
    /** The account, once the provider has named it and its person has to confirm it. */
    arrival: json<Arrival | null>('arrival'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_flows_expiry').on(table.expiresAt)],
)

/** Logout tokens that came, so that each counts once. */
export const logoutIds = sqliteTable(
  'logout_ids',
  {
    provider: text('provider').notNull(),
    hash: text('hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.hash] })],
)
