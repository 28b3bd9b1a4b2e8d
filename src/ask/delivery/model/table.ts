// The tables of deliveries: the outbox of messages to devices, alarms, used links and counts of pushes.

import { isNotNull, isNull } from 'drizzle-orm'
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../../platform/db/columns.ts'
import { outboxColumns } from '../../../platform/db/outbox-store.ts'
import type { Id } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { SubscriberId, SubscriberKind } from '../../subscribers/model/subscriber.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import type { DeliveryState, Message } from './channel.ts'
import type { LinkPurpose } from './links.ts'

export type DeliveryId = Id<'dl'>

/** The outbox: one row for each message to each subscriber. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: text<DeliveryId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** The question or notification it is about. */
    subjectId: text<SubjectId>('subject_id').notNull(),
    subscriberId: text<SubscriberId>('subscriber_id').notNull(),
    kind: text<SubscriberKind>('kind').notNull(),
    message: json<Message>('message').notNull(),
    ...outboxColumns<DeliveryState>(),
    /** Reported by the device; the first time counts. */
    shownAt: instant('shown_at'),
    openedAt: instant('opened_at'),
    /** The service's id of the message, where it can be changed later. */
    messageRef: text('message_ref'),
    /** The link of the audit trail that seals how it ended; null until then. */
    seal: count('seal'),
  },
  (table) => [
    index('deliveries_subject').on(table.subjectId),
    index('deliveries_due').on(table.state, table.nextAt),
    index('deliveries_ended')
      .on(table.workspaceId, table.endedAt, table.id)
      .where(isNotNull(table.endedAt)),
    index('deliveries_subscriber').on(table.subscriberId, table.createdAt),
    index('deliveries_unsealed').on(table.id).where(isNull(table.seal)),
  ],
)

/** Problems with the server's own set-up; deleted as soon as it works. */
export const alarms = sqliteTable('alarms', {
  /** The origin of the push service that reported it, or a name of ours. */
  name: text('name').primaryKey(),
  text: text('text').notNull(),
  since: instant('since').notNull(),
  at: instant('at').notNull(),
})

/** Used answer links; any other link works while its question is open. */
export const usedLinks = sqliteTable(
  'used_links',
  {
    questionId: text<QuestionId>('question_id').notNull(),
    subscriberId: text<SubscriberId>('subscriber_id').notNull(),
    purpose: text<LinkPurpose>('purpose').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.questionId, table.subscriberId, table.purpose] })],
)

/** How many pushes of one token one person was sent in the minute that began at `windowAt`. */
export const pushCounts = sqliteTable(
  'push_counts',
  {
    tokenId: text<TokenId>('token_id').notNull(),
    /** A person; for a device without a person, the device. */
    recipient: text('recipient').notNull(),
    windowAt: instant('window_at').notNull(),
    /** All pushes, and the questions among them that are not permission requests. */
    pushes: count('pushes').notNull(),
    questions: count('questions').notNull(),
    /** Messages without a push of their own; one combined push announces all of them. */
    more: count('more').notNull(),
    moreQuestions: count('more_questions').notNull(),
    moreSubject: text<SubjectId>('more_subject'),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.recipient] })],
)
