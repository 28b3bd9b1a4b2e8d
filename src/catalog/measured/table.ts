import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, text } from '../../platform/db/columns.ts'
import type { ProbeOutcome } from '../facts/fact.ts'

/** Each probe of the last days. */
export const catalogProbeResults = sqliteTable(
  'catalog_probe_results',
  {
    slug: text('slug').notNull(),
    at: instant('at').notNull(),
    outcome: text<ProbeOutcome>('outcome').notNull(),
    /** HTTP status; null when there was no answer. */
    status: count('status'),
    /** Milliseconds until the answer; null without one. */
    ms: count('ms'),
    authRequired: flag('auth_required').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.at] }),
    index('catalog_probe_results_at').on(table.at),
  ],
)

/** The probes of a day: how many say something, and how many were answered. */
export const catalogProbeDays = sqliteTable(
  'catalog_probe_days',
  {
    slug: text('slug').notNull(),
    /** `YYYY-MM-DD`, UTC. */
    date: text('date').notNull(),
    probes: count('probes').notNull(),
    ok: count('ok').notNull(),
    /** Median and 95th percentile of the milliseconds until an answer; null if none was timed. */
    p50ms: count('p50_ms'),
    p95ms: count('p95_ms'),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.date] }),
    index('catalog_probe_days_date').on(table.date),
  ],
)

/** The newest value of every other measurement: one row for each subject. */
export const catalogFacts = sqliteTable(
  'catalog_facts',
  {
    slug: text('slug').notNull(),
    subject: text('subject').notNull(),
    value: json<unknown>('value').notNull(),
    /** When the subject was first known. */
    seenAt: instant('seen_at').notNull(),
    /** When it last changed; equal to `seenAt` if it never did. */
    changedAt: instant('changed_at').notNull(),
    /** When it was last read. */
    checkedAt: instant('checked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.subject] })],
)

/** Every price that was ever seen; rows are never changed. */
export const catalogPrices = sqliteTable(
  'catalog_prices',
  {
    slug: text('slug').notNull(),
    url: text('url').notNull(),
    network: text('network').notNull(),
    asset: text('asset').notNull(),
    /** A decimal; null for an asset without a price in dollars. */
    priceUsd: text('price_usd'),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.url, table.network, table.asset, table.seenAt] }),
  ],
)

export type DraftState = 'open' | 'dismissed' | 'published'

/** Changes that measurements suggest to the curator; never served. */
export const catalogDrafts = sqliteTable('catalog_drafts', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull(),
  /** The kind of the change: `price`, `notice`… */
  kind: text('kind').notNull(),
  what: text('what').notNull(),
  source: text('source').notNull(),
  draftedAt: instant('drafted_at').notNull(),
  state: text<DraftState>('state').notNull(),
})

/** When each probe of each tool is due, so that a restart continues there. */
export const catalogProbeTimes = sqliteTable(
  'catalog_probe_times',
  {
    slug: text('slug').notNull(),
    probe: text('probe').notNull(),
    ranAt: instant('ran_at').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.probe] })],
)
