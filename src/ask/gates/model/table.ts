// The tables of gates: the MCP servers behind them, the tools that these list, and the servers that
// this one reaches over HTTP.

import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { ConfirmedTool, GateId, SeenTool } from './gate.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    /** A gate, one of its tools or a server over HTTP changed; `id` is the gate or the workspace. */
    gate: true
  }
}

/** One row for each server behind a gate of a name: another command line is another server. */
export const gates = sqliteTable(
  'gates',
  {
    id: text<GateId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    serverHash: text('server_hash').notNull(),
    server: text('server').notNull(),
    machineId: text('machine_id'),
    machineName: text('machine_name'),
    instructions: text('instructions'),
    instructionsHash: text('instructions_hash'),
    confirmedInstructions: text('confirmed_instructions'),
    createdAt: instant('created_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    toldAt: instant('told_at'),
  },
  (table) => [
    uniqueIndex('gates_server').on(table.workspaceId, table.name, table.serverHash),
    index('gates_seen').on(table.workspaceId, table.seenAt),
  ],
)

/** The tools of each server, as they are listed now, and as people saw them last. */
export const gateTools = sqliteTable(
  'gate_tools',
  {
    gateId: text<GateId>('gate_id').notNull(),
    name: text('name').notNull(),
    fingerprint: text('fingerprint').notNull(),
    definition: json<ToolDefinition>('definition').notNull(),
    listed: flag('listed').notNull(),
    changedAt: instant('changed_at').notNull(),
    confirmed: json<ConfirmedTool>('confirmed'),
    lastYes: json<SeenTool>('last_yes'),
  },
  (table) => [primaryKey({ columns: [table.gateId, table.name] })],
)

/**
 * Other versions of these tools: the servers of one command line may list different ones, on two
 * machines or in two sessions.
 */
export const gateVersions = sqliteTable(
  'gate_versions',
  {
    gateId: text<GateId>('gate_id').notNull(),
    name: text('name').notNull(),
    fingerprint: text('fingerprint').notNull(),
    definition: json<ToolDefinition>('definition').notNull(),
    confirmed: json<ConfirmedTool>('confirmed'),
    lastYes: json<SeenTool>('last_yes'),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gateId, table.name, table.fingerprint] }),
    index('gate_versions_seen').on(table.seenAt),
  ],
)

/** The tools that a client over HTTP was listed last, by the token, the server and the session. */
export const gateListings = sqliteTable(
  'gate_listings',
  {
    key: text('key').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    tools: json<Record<string, string>>('tools').notNull(),
    listedAt: instant('listed_at').notNull(),
  },
  (table) => [index('gate_listings_listed').on(table.listedAt)],
)

/** The servers behind gates of this server, by the names of the gates. */
export const gateUpstreams = sqliteTable(
  'gate_upstreams',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    headerName: text('header_name'),
    headerValue: text('header_value'),
    tokenId: text<TokenId>('token_id'),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name] })],
)
