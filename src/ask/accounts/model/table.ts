// The tables of workspaces, their members, tokens with their usage, and pairing codes.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Connection } from './agent.ts'
import type { PairingId, PersonId, TokenId, WorkspaceId } from './ids.ts'
import type { PairingStep } from './pairing.ts'
import type { Role, Visibility } from './person.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    token: true
    /** A sign-in ended; `id` is the person. */
    sign_in: true
  }
}

export const workspaces = sqliteTable('workspaces', {
  id: text<WorkspaceId>('id').primaryKey(),
  name: text('name').notNull().unique(),
  createdAt: instant('created_at').notNull(),
  visibility: text<Visibility>('visibility').notNull().default('workspace'),
})

export const members = sqliteTable(
  'members',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    role: text<Role>('role').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Answers on pages are held for a moment, in which the person can take them back. */
    hasUndo: flag('has_undo').notNull().default(sql`1`),
    /** When they were switched off: everything stays, and nothing of it works. */
    offAt: instant('off_at'),
    /** The provider or directory that sets the role, for people; null for one that owners set. */
    roleFrom: text('role_from'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.personId] }),
    index('members_person').on(table.personId),
  ],
)

export const agentTokens = sqliteTable(
  'agent_tokens',
  {
    id: text<TokenId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    /** SHA-256 of the token, hex; the token itself is shown once and never stored. */
    hash: text('hash').notNull().unique(),
    /** The last four characters, to tell tokens apart. */
    tail: text('tail').notNull(),
    /** All traffic of a test token is `env: test`. */
    test: flag('test').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Whose it is: who made it, or to whom it was handed over. */
    createdBy: text<PersonId>('created_by'),
    /** In place of a person, for a service that belongs to nobody alone. */
    ownerGroup: text<Id<'group'>>('owner_group'),
    revokedAt: instant('revoked_at'),
    /** When its owner was switched off; it is refused until they are switched on. */
    offAt: instant('off_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedFrom: text('last_used_from'),
    lastUsedClient: text('last_used_client'),
    /**
     * Set for a client that a person allowed by signing in: it has no token of its own (`hash`).
     */
    clientId: text('client_id'),
    connection: json<Connection | null>('connection'),
  },
  (table) => [
    index('agent_tokens_workspace').on(table.workspaceId, table.id),
    index('agent_tokens_client').on(table.clientId).where(sql`${table.clientId} is not null`),
  ],
)

/** The account of a person at a provider that signs people in. */
export const identities = sqliteTable(
  'identities',
  {
    /** The id of the provider here, and the issuer in its tokens. */
    provider: text('provider').notNull(),
    issuer: text('issuer').notNull(),
    /** The id of the account; means something within one issuer alone. */
    subject: text('subject').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    /** The address and the name of the account, for people. */
    label: text('label').notNull(),
    /** The groups at the last sign-in that named them; null as long as none did. */
    groups: json<string[] | null>('groups'),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.issuer, table.subject] }),
    index('identities_person').on(table.personId),
  ],
)

/** A row for each code of a pairing: the one in the QR code, and the one for the installed app. */
export const pairingCodes = sqliteTable(
  'pairing_codes',
  {
    /** SHA-256 of the code, hex; the code itself is never stored. */
    hash: text('hash').primaryKey(),
    pairingId: text<PairingId>('pairing_id').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    step: text<PairingStep>('step').notNull(),
    /** Six digits that both screens show. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** The description of the device that used it: "Safari on iPhone". */
    device: text('device'),
    /** The sign-in that the code led to, so that it can be ended. */
    signInId: text('sign_in_id'),
    cancelledAt: instant('cancelled_at'),
  },
  (table) => [
    index('pairing_codes_pairing').on(table.pairingId),
    index('pairing_codes_person').on(table.personId),
    index('pairing_codes_expiry').on(table.expiresAt),
  ],
)

/**
 * The stored bytes and recent writes of each token. It is in the database so that every process
 * sees it.
 */
export const tokenUsage = sqliteTable('token_usage', {
  tokenId: text<TokenId>('token_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  /** The number of the token's questions that have not ended. */
  openQuestions: count('open_questions').notNull(),
  /** The bytes of its questions and notifications, with their deliveries. */
  keptBytes: count('kept_bytes').notNull(),
  /** Bytes written recently; they stop counting at the rate of the limit from `recentAt` on. */
  recentBytes: count('recent_bytes').notNull(),
  recentAt: instant('recent_at').notNull(),
})
