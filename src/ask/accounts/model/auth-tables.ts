// The tables of better-auth: people, their sign-ins, passwords and passkeys.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, date, flag, text } from '../../../platform/db/columns.ts'

// The columns are better-auth's (its core schema and the passkey plugin's); the table names are
// ours.

export const user = sqliteTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: flag('email_verified').notNull(),
  image: text('image'),
  createdAt: date('created_at').notNull(),
  updatedAt: date('updated_at').notNull(),
})

export const session = sqliteTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    token: text('token').notNull().unique(),
    expiresAt: date('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: date('created_at').notNull(),
    updatedAt: date('updated_at').notNull(),
    /** Ours: when a phone that scanned a code was signed in so. */
    pairedAt: date('paired_at'),
    /** Ours: the provider that signed them in, its session, and how long that holds. */
    provider: text('provider'),
    providerSid: text('provider_sid'),
    provenUntil: date('proven_until'),
    /** Ours: when the person proved themselves to the provider, if it says so. */
    provenAt: date('proven_at'),
  },
  (table) => [index('sign_ins_user').on(table.userId)],
)

export const account = sqliteTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: date('access_token_expires_at'),
    refreshTokenExpiresAt: date('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: date('created_at').notNull(),
    updatedAt: date('updated_at').notNull(),
  },
  (table) => [index('credentials_user').on(table.userId)],
)

export const verification = sqliteTable(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: date('expires_at').notNull(),
    createdAt: date('created_at').notNull(),
    updatedAt: date('updated_at').notNull(),
    /** Ours: who made an invitation. */
    invitedBy: text('invited_by'),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
)

export const passkey = sqliteTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name'),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: count('counter').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: flag('backed_up').notNull(),
    transports: text('transports'),
    createdAt: date('created_at'),
    aaguid: text('aaguid'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)
