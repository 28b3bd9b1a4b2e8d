// The tables of the sign-in of clients: clients, codes and tokens.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { AuthMethod, ClientKind } from './client.ts'
import type { Scope } from './scope.ts'

/** Programs that may ask people for access (RFC 6749, 2). */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    /** The `client_id`: ours, or the address of the client's own document. */
    id: text('id').primaryKey(),
    kind: text<ClientKind>('kind').notNull(),
    name: text('name').notNull(),
    redirectUris: json<string[]>('redirect_uris').notNull(),
    authMethod: text<AuthMethod>('auth_method').notNull(),
    /** SHA-256, hex; the secret itself is shown once. */
    secretHash: text('secret_hash'),
    /** Gets refresh tokens without asking for `offline_access`. */
    refreshes: flag('refreshes').notNull(),
    /** Set for a client that an owner made: only people of this workspace may use it. */
    workspaceId: text<WorkspaceId>('workspace_id'),
    createdBy: text<PersonId>('created_by'),
    createdAt: instant('created_at').notNull(),
    /** When somebody last allowed it. */
    usedAt: instant('used_at'),
    /** Until then a document is not fetched again. */
    freshUntil: instant('fresh_until'),
  },
  (table) => [index('oauth_clients_age').on(table.kind, table.createdAt)],
)

export const oauthCodes = sqliteTable(
  'oauth_codes',
  {
    /** SHA-256 of the code, hex. */
    hash: text('hash').primaryKey(),
    clientId: text('client_id').notNull(),
    /** The connected client, which is an agent like one with a token. */
    tokenId: text<TokenId>('token_id').notNull(),
    /** Shared by all tokens that follow from this code. */
    family: text('family').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** RFC 7636, S256. */
    challenge: text('challenge').notNull(),
    scopes: json<Scope[]>('scopes').notNull(),
    resource: text('resource').notNull(),
    refreshes: flag('refreshes').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('oauth_codes_expiry').on(table.expiresAt)],
)

export const oauthTokens = sqliteTable(
  'oauth_tokens',
  {
    /** SHA-256 of the token, hex. */
    hash: text('hash').primaryKey(),
    kind: text<'access' | 'refresh'>('kind').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    clientId: text('client_id').notNull(),
    family: text('family').notNull(),
    scopes: json<Scope[]>('scopes').notNull(),
    /** The address that it is for (RFC 8707). */
    resource: text('resource').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** A refresh token works once. */
    usedAt: instant('used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('oauth_tokens_family').on(table.family),
    index('oauth_tokens_expiry').on(table.expiresAt),
  ],
)
