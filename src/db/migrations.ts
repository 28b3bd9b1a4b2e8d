// Written by drizzle/embed.ts.
import m0 from '../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import type { Migration } from './migrate.ts'

export const MIGRATIONS: readonly Migration[] = [{ name: '0000_start', sql: m0 }]
