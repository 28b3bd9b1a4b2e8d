// Written by drizzle/embed.ts.
import m0 from '../../../../drizzle/postgres/0021_audit-seals.sql' with { type: 'text' }

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
  { name: '0021_audit-seals', sql: m0 },
]
