import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../platform/db/columns.ts'
import type { ToolDefinition } from '../../platform/mcp/tool-fingerprint.ts'

/** The tools that an MCP server listed last, for the comparison with its next list. */
export const catalogToolDefinitions = sqliteTable(
  'catalog_tool_definitions',
  {
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    /** Null if it is too large to be stored. */
    definition: json<ToolDefinition | null>('definition'),
    seenAt: instant('seen_at').notNull(),
    /** When it last changed; equal to `seenAt` if it never did. */
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.name] })],
)

/** Tool lists, values of facts and prices of records. */
export type HistoryKind = 'tools' | 'fact' | 'price'

/** What changed over time; rows are never changed, and the oldest of many are deleted. */
export const catalogHistory = sqliteTable(
  'catalog_history',
  {
    slug: text('slug').notNull(),
    kind: text<HistoryKind>('kind').notNull(),
    /** The subject of the fact, or the item of the price; empty for the list of tools. */
    subject: text('subject').notNull(),
    at: instant('at').notNull(),
    value: json<unknown>('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.kind, table.subject, table.at] })],
)
