// The tables of rotas: who is on call by turns or by a calendar, and who takes over or is away.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { FeedShift, Override, OverrideId, RotaId, RotaSource, Schedule } from './rota.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    /** A rota, its calendar or its overrides changed; `id` is the workspace. */
    rota: true
  }
}

export const rotas = sqliteTable(
  'rotas',
  {
    id: text<RotaId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    source: text<RotaSource>('source').notNull(),
    zone: text('zone').notNull(),
    schedule: json<Schedule | null>('schedule'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('rotas_name').on(table.workspaceId, table.name)],
)

export const rotaOverrides = sqliteTable(
  'rota_overrides',
  {
    id: text<OverrideId>('id').primaryKey(),
    rotaId: text<RotaId>('rota_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    kind: text<Override['kind']>('kind').notNull(),
    from: instant('from_at').notNull(),
    to: instant('to_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('rota_overrides_rota').on(table.rotaId, table.to),
    index('rota_overrides_end').on(table.to),
  ],
)

/** A row for each rota that a calendar elsewhere fills. */
export const rotaFeeds = sqliteTable(
  'rota_feeds',
  {
    rotaId: text<RotaId>('rota_id').primaryKey(),
    url: text('url').notNull(),
    etag: text('etag'),
    readAt: instant('read_at'),
    triedAt: instant('tried_at'),
    problem: text('problem'),
    shifts: json<FeedShift[]>('shifts').notNull(),
  },
  (table) => [index('rota_feeds_tried').on(table.triedAt)],
)
