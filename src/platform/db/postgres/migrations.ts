// Written by drizzle/embed.ts.
import m0 from '../../../../drizzle/postgres/0021_audit-seals.sql' with { type: 'text' }
import m1 from '../../../../drizzle/postgres/0022_open-pages.sql' with { type: 'text' }
import m2 from '../../../../drizzle/postgres/0023_signed-receipts.sql' with { type: 'text' }
import m3 from '../../../../drizzle/postgres/0024_oauth.sql' with { type: 'text' }
import m4 from '../../../../drizzle/postgres/0025_signed-within.sql' with { type: 'text' }
import m5 from '../../../../drizzle/postgres/0026_sealed-questions.sql' with { type: 'text' }
import m6 from '../../../../drizzle/postgres/0027_cheaper-asks.sql' with { type: 'text' }
import m7 from '../../../../drizzle/postgres/0028_token-of-ended.sql' with { type: 'text' }
import m8 from '../../../../drizzle/postgres/0029_open-alone.sql' with { type: 'text' }
import m9 from '../../../../drizzle/postgres/0030_answered-on.sql' with { type: 'text' }
import m10 from '../../../../drizzle/postgres/0031_people-gone.sql' with { type: 'text' }
import m11 from '../../../../drizzle/postgres/0032_joined-calls.sql' with { type: 'text' }
import m12 from '../../../../drizzle/postgres/0033_notification-keys.sql' with { type: 'text' }
import m13 from '../../../../drizzle/postgres/0034_hook-gaps.sql' with { type: 'text' }

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
  { name: '0021_audit-seals', sql: m0 },
  { name: '0022_open-pages', sql: m1 },
  { name: '0023_signed-receipts', sql: m2 },
  { name: '0024_oauth', sql: m3 },
  { name: '0025_signed-within', sql: m4 },
  { name: '0026_sealed-questions', sql: m5 },
  { name: '0027_cheaper-asks', sql: m6 },
  { name: '0028_token-of-ended', sql: m7 },
  { name: '0029_open-alone', sql: m8 },
  { name: '0030_answered-on', sql: m9 },
  { name: '0031_people-gone', sql: m10 },
  { name: '0032_joined-calls', sql: m11 },
  { name: '0033_notification-keys', sql: m12 },
  { name: '0034_hook-gaps', sql: m13 },
]
