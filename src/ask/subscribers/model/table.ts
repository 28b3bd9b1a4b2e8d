// The tables of devices: tags, switches, pages that are open, and the codes that connect a chat.

import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuietHours } from './quiet-hours.ts'
import type { MessageSort, SilentWhy, SubscriberId, SubscriberKind } from './subscriber.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    /** A device changed; `id` is its workspace. */
    subscriber: true
    /** A person opened or left a page; `id` is the person. */
    page: true
  }
}

export const subscribers = sqliteTable(
  'subscribers',
  {
    id: text<SubscriberId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id'),
    kind: text<SubscriberKind>('kind').notNull(),
    transport: text('transport').notNull(),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh'),
    auth: text('auth'),
    authorization: text('authorization'),
    label: text('label').notNull(),
    externalId: text('external_id'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull(),
    lastSuccessAt: instant('last_success_at'),
    lastErrorAt: instant('last_error_at'),
    lastError: text('last_error'),
    lastShownAt: instant('last_shown_at'),
    lastOpenedAt: instant('last_opened_at'),
    /** Since when its own page says that nothing can ring there, and why. */
    silentSince: instant('silent_since'),
    silentWhy: text<SilentWhy>('silent_why'),
    /** The sign-in of the browser that connected it, so that it can be ended with the device. */
    signInId: text('sign_in_id'),
  },
  (table) => [
    uniqueIndex('subscribers_endpoint').on(table.workspaceId, table.endpoint),
    index('subscribers_external').on(table.workspaceId, table.externalId),
  ],
)

export const subscriberTags = sqliteTable(
  'subscriber_tags',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    tag: text('tag').notNull(),
    subscriberId: text<SubscriberId>('subscriber_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.tag, table.subscriberId] }),
    index('subscriber_tags_subscriber').on(table.subscriberId),
  ],
)

/** When a person is not told of what several may decide, unless it is urgent. */
export const ownQuietHours = sqliteTable(
  'own_quiet_hours',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    hours: json<QuietHours>('hours').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.personId] })],
)

/** One-time codes with which a person connects a chat by sending the code from there. */
export const connectCodes = sqliteTable(
  'connect_codes',
  {
    /** SHA-256 of the code. */
    hash: text('hash').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    /** The channel it is for. */
    transport: text('transport').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('connect_codes_person').on(table.personId, table.transport)],
)

/**
 * The pages that people have in front of them. A page reports to one process; all processes read it
 * here.
 */
export const openPages = sqliteTable(
  'open_pages',
  {
    personId: text<PersonId>('person_id').notNull(),
    /** SHA-256 of the name that the page made up for itself. */
    page: text('page').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** When it last said that it is visible. */
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.page] }),
    index('open_pages_seen').on(table.workspaceId, table.seenAt),
  ],
)

/** Switches that a person has turned off; without a row it is on. */
export const switchedOff = sqliteTable(
  'switched_off',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    sort: text<MessageSort>('sort').notNull(),
    kind: text<SubscriberKind>('kind').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.personId, table.sort, table.kind] })],
)
