// The tables of questions: the calls that joined them, held and late answers, snoozes, and counts by day.

import { isNotNull, isNull, sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Requirement } from '../../votes/model/requirement.ts'
import type { Watched } from '../../votes/model/watched.ts'
import type { Contract } from '../../wire/contract.ts'
import type { DeliveryMode } from '../../wire/delivery-mode.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'
import type { AnswerSource, QuestionType, StoredStatus } from '../../wire/question-fields.ts'
import type { Targeting } from '../../wire/targeting.ts'
import type {
  AnswerChoice,
  AnsweredOn,
  Ending,
  Question,
  QuestionDetail,
  SuppressionReason,
} from './question.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    question: true
  }
}

export const questions = sqliteTable(
  'questions',
  {
    id: text<QuestionId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    origin: text<Question['origin']>('origin').notNull(),
    type: text<QuestionType>('type').notNull(),
    question: text('question').notNull(),
    choices: json<AnswerChoice[]>('choices').notNull(),
    detail: json<QuestionDetail>('detail').notNull(),
    agentName: text('agent_name'),
    machineId: text('machine_id'),
    sessionId: text('session_id'),
    repoKey: text('repo_key'),
    targeting: json<Targeting>('targeting').notNull(),
    test: flag('test').notNull(),
    held: text<SuppressionReason>('held'),
    deliveryMode: text<DeliveryMode>('delivery_mode').notNull(),
    policyWaitMs: count('policy_wait_ms').notNull(),
    key: text('key'),
    status: text<StoredStatus>('status').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    waitEndsAt: instant('wait_ends_at').notNull(),
    callbackUrl: text('callback_url'),
    notificationId: text<NotificationId>('notification_id'),
    abandonedAt: instant('abandoned_at'),
    value: text('value'),
    note: text('note'),
    answerSource: text<AnswerSource>('answer_source'),
    answeredBy: text<PersonId>('answered_by'),
    answeredAs: text('answered_as'),
    answeredOn: json<AnsweredOn>('answered_on'),
    endedAt: instant('ended_at'),
    endReason: text('end_reason'),
    endedByToken: text<TokenId>('ended_by_token'),
    /** Set while an answer is held (`heldAnswers`): when it is sent. */
    answerHeldUntil: instant('answer_held_until'),
    /** Who has to agree, if an approver rule says so: then votes end it, and no answer does. */
    requirement: json<Requirement | null>('requirement'),
    /** What rules that only watch would have asked for. */
    watched: json<Watched[] | null>('watched'),
    /** The size with its deliveries, as counted for its token when it was asked. */
    bytes: count('bytes').notNull().default(0),
    /** The links of the audit trail that seal how it was asked and how it ended; null until then. */
    askedSeal: count('asked_seal'),
    endedSeal: count('ended_seal'),
  },
  (table) => [
    uniqueIndex('questions_key').on(table.workspaceId, table.key).where(isNotNull(table.key)),
    index('questions_workspace').on(table.workspaceId, table.id),
    index('questions_session')
      .on(table.workspaceId, table.sessionId, table.id)
      .where(isNotNull(table.sessionId)),
    index('questions_repository')
      .on(table.workspaceId, table.repoKey, table.id)
      .where(isNotNull(table.repoKey)),
    index('questions_open').on(table.expiresAt).where(sql`${table.status} = 'pending'`),
    index('questions_ended')
      .on(table.workspaceId, table.endedAt, table.id)
      .where(isNotNull(table.endedAt)),
    index('questions_token')
      .on(table.tokenId, table.id, table.bytes, table.status)
      .where(sql`${table.status} <> 'pending'`),
    index('questions_inbox')
      // The last three make counts by token need no row.
      .on(table.workspaceId, table.expiresAt, table.tokenId, table.bytes, table.status)
      .where(sql`${table.status} = 'pending'`),
    index('questions_twins')
      .on(table.tokenId, table.question)
      .where(sql`${table.status} = 'pending'`),
    index('questions_answer_held')
      .on(table.answerHeldUntil)
      .where(isNotNull(table.answerHeldUntil)),
    index('questions_watched').on(table.workspaceId, table.id).where(isNotNull(table.watched)),
    index('questions_asked_unsealed').on(table.id).where(isNull(table.askedSeal)),
    index('questions_ended_unsealed')
      .on(table.id)
      .where(sql`${table.endedSeal} is null and ${table.status} <> 'pending'`),
  ],
)

/**
 * Written as in the indexes: with a parameter instead of the literal, they would not be used.
 */
export const isOver = sql`${questions.status} <> 'pending'`
export const isPending = sql`${questions.status} = 'pending'`

/**
 * Answers that are not sent yet, because their person can still take them back. Whoever writes here
 * has `lockHeldAnswer`.
 */
export const heldAnswers = sqliteTable('held_answers', {
  questionId: text<QuestionId>('question_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  personId: text<PersonId>('person_id').notNull(),
  /** The fields that the answer writes to the question once it is sent, without the person. */
  ending: json<Ending>('ending').notNull(),
  /** For a scope: the contract as the person edited it. */
  edited: json<Contract>('edited'),
  /** When the person answered: the question ends as of then. */
  at: instant('at').notNull(),
})

/** Additions of calls that joined a question, besides its content. */
export const joinedCalls = sqliteTable(
  'joined_calls',
  {
    /** The id that the call's own question would have had. */
    id: text<QuestionId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** The question that it joined. */
    questionId: text<QuestionId>('question_id').notNull(),
    /** The key of a call that was named by its bridge or client, if the question has another one. */
    key: text('key'),
    /** Where else the answer is posted. */
    callbackUrl: text('callback_url'),
  },
  (table) => [
    index('joined_calls_question').on(table.questionId),
    index('joined_calls_key').on(table.workspaceId, table.key).where(isNotNull(table.key)),
  ],
)

/** Answers that came too late: refused, but stored. */
export const lateAnswers = sqliteTable(
  'late_answers',
  {
    id: text('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    value: text('value').notNull(),
    note: text('note'),
    answerSource: text<AnswerSource>('answer_source'),
    answeredBy: text<PersonId>('answered_by'),
    answeredAs: text('answered_as'),
    answeredOn: json<AnsweredOn>('answered_on'),
    at: instant('at').notNull(),
    seal: count('seal'),
  },
  (table) => [
    index('late_answers_question').on(table.questionId),
    index('late_answers_at').on(table.workspaceId, table.at, table.id),
    index('late_answers_unsealed').on(table.id).where(isNull(table.seal)),
  ],
)

export type LateAnswer = Omit<typeof lateAnswers.$inferSelect, 'seal'>

/** Questions that a person does not want to see for a while; nobody else is concerned. */
export const snoozes = sqliteTable(
  'snoozes',
  {
    personId: text<PersonId>('person_id').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    /** When the question comes back. */
    until: instant('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.questionId] }),
    index('snoozes_until').on(table.until),
    index('snoozes_question').on(table.questionId),
  ],
)

/** How the questions of a quarter of an hour ended; counts only, which outlive the questions. */
export const tallies = sqliteTable(
  'question_tallies',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** Empty in the row that counts all of the workspace. */
    repoKey: text('repo_key').notNull(),
    /** When the quarter of an hour began. */
    at: instant('at').notNull(),
    byPerson: count('by_person').notNull(),
    byRule: count('by_rule').notNull(),
    unanswered: count('unanswered').notNull(),
    withdrawn: count('withdrawn').notNull(),
    /** How long people took: how many by step (`tally.ts`). */
    times: json<Record<string, number>>('times').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.repoKey, table.at] })],
)

/** Until when the ended questions of a workspace are counted. */
export const tallied = sqliteTable('question_tallied', {
  workspaceId: text<WorkspaceId>('workspace_id').primaryKey(),
  until: instant('until').notNull(),
})
