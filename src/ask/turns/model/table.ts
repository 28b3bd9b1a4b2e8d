// The tables of turns: what the latest turn of each session came to, and what people said next.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { TurnDoor } from '../../wire/turn-fields.ts'
import type { InstructionId, InstructionState, InstructionVia } from './instruction.ts'
import type { LetGo, TurnState } from './turn.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    instruction: true
  }
}

/** The latest turn of each session that its hook reports. */
export const turns = sqliteTable(
  'turns',
  {
    id: text<Id<'ses'>>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    machineId: text('machine_id').notNull(),
    sessionId: text('session_id').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    client: text('client').notNull(),
    turn: text('turn'),
    state: text<TurnState>('state').notNull(),
    since: instant('since').notNull(),
    seenAt: instant('seen_at').notNull(),
    lastWords: text('last_words'),
    durationMs: count('duration_ms'),
    filesChanged: count('files_changed'),
    toldAt: instant('told_at'),
    door: text<TurnDoor>('door'),
    heldUntil: instant('held_until'),
    letGo: text<LetGo>('let_go'),
    inRow: count('in_row').notNull(),
  },
  (table) => [index('turns_seen').on(table.workspaceId, table.seenAt)],
)

/** What people told sessions to do next. */
export const instructions = sqliteTable(
  'instructions',
  {
    id: text<InstructionId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    session: text<Id<'ses'>>('session').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    personName: text('person_name').notNull(),
    text: text('text').notNull(),
    via: text<InstructionVia>('via'),
    state: text<InstructionState>('state').notNull(),
    createdAt: instant('created_at').notNull(),
    handedOverAt: instant('handed_over_at'),
    takenAt: instant('taken_at'),
    endedAt: instant('ended_at'),
  },
  (table) => [index('instructions_session').on(table.session, table.id)],
)

/** For which clients the end-of-turn hook may wait for an instruction. */
export const turnHolds = sqliteTable(
  'turn_holds',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    client: text('client').notNull(),
    on: flag('on').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.client] })],
)

/** The texts that a person has ready. */
export const quickReplies = sqliteTable('quick_replies', {
  personId: text<PersonId>('person_id').primaryKey(),
  texts: json<string[]>('texts').notNull(),
})
