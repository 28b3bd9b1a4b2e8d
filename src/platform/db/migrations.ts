// Written by drizzle/embed.ts.
import m0 from '../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import m1 from '../../../drizzle/sqlite/0001_receipts.sql' with { type: 'text' }
import m2 from '../../../drizzle/sqlite/0002_chat.sql' with { type: 'text' }
import m3 from '../../../drizzle/sqlite/0003_switches-and-groups.sql' with { type: 'text' }
import m4 from '../../../drizzle/sqlite/0004_contracts.sql' with { type: 'text' }
import m5 from '../../../drizzle/sqlite/0005_catalog.sql' with { type: 'text' }
import m6 from '../../../drizzle/sqlite/0006_hook-token.sql' with { type: 'text' }
import m7 from '../../../drizzle/sqlite/0007_measurements.sql' with { type: 'text' }
import m8 from '../../../drizzle/sqlite/0008_manifests.sql' with { type: 'text' }
import m9 from '../../../drizzle/sqlite/0009_mirrors.sql' with { type: 'text' }
import m10 from '../../../drizzle/sqlite/0010_no-counts.sql' with { type: 'text' }
import m11 from '../../../drizzle/sqlite/0011_token-usage.sql' with { type: 'text' }
import m12 from '../../../drizzle/sqlite/0012_call-keys.sql' with { type: 'text' }
import m13 from '../../../drizzle/sqlite/0013_missed-hooks.sql' with { type: 'text' }
import m14 from '../../../drizzle/sqlite/0014_reach.sql' with { type: 'text' }
import m15 from '../../../drizzle/sqlite/0015_tallies.sql' with { type: 'text' }
import m16 from '../../../drizzle/sqlite/0016_grants.sql' with { type: 'text' }
import m17 from '../../../drizzle/sqlite/0017_snoozes.sql' with { type: 'text' }
import m18 from '../../../drizzle/sqlite/0018_permits.sql' with { type: 'text' }
import m19 from '../../../drizzle/sqlite/0019_reminders.sql' with { type: 'text' }
import m20 from '../../../drizzle/sqlite/0020_contained.sql' with { type: 'text' }
import m21 from '../../../drizzle/sqlite/0021_audit-seals.sql' with { type: 'text' }
import m22 from '../../../drizzle/sqlite/0022_open-pages.sql' with { type: 'text' }
import m23 from '../../../drizzle/sqlite/0023_signed-receipts.sql' with { type: 'text' }
import m24 from '../../../drizzle/sqlite/0024_oauth.sql' with { type: 'text' }
import m25 from '../../../drizzle/sqlite/0025_signed-within.sql' with { type: 'text' }
import m26 from '../../../drizzle/sqlite/0026_sealed-questions.sql' with { type: 'text' }
import m27 from '../../../drizzle/sqlite/0027_cheaper-asks.sql' with { type: 'text' }
import m28 from '../../../drizzle/sqlite/0028_token-of-ended.sql' with { type: 'text' }
import m29 from '../../../drizzle/sqlite/0029_open-alone.sql' with { type: 'text' }
import m30 from '../../../drizzle/sqlite/0030_answered-on.sql' with { type: 'text' }
import m31 from '../../../drizzle/sqlite/0031_people-gone.sql' with { type: 'text' }
import m32 from '../../../drizzle/sqlite/0032_joined-calls.sql' with { type: 'text' }
import m33 from '../../../drizzle/sqlite/0033_notification-keys.sql' with { type: 'text' }
import m34 from '../../../drizzle/sqlite/0034_hook-gaps.sql' with { type: 'text' }

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
  { name: '0000_start', sql: m0 },
  { name: '0001_receipts', sql: m1 },
  { name: '0002_chat', sql: m2 },
  { name: '0003_switches-and-groups', sql: m3 },
  { name: '0004_contracts', sql: m4 },
  { name: '0005_catalog', sql: m5 },
  { name: '0006_hook-token', sql: m6 },
  { name: '0007_measurements', sql: m7 },
  { name: '0008_manifests', sql: m8 },
  { name: '0009_mirrors', sql: m9 },
  { name: '0010_no-counts', sql: m10 },
  { name: '0011_token-usage', sql: m11 },
  { name: '0012_call-keys', sql: m12 },
  { name: '0013_missed-hooks', sql: m13 },
  { name: '0014_reach', sql: m14 },
  { name: '0015_tallies', sql: m15 },
  { name: '0016_grants', sql: m16 },
  { name: '0017_snoozes', sql: m17 },
  { name: '0018_permits', sql: m18 },
  { name: '0019_reminders', sql: m19 },
  { name: '0020_contained', sql: m20 },
  { name: '0021_audit-seals', sql: m21 },
  { name: '0022_open-pages', sql: m22 },
  { name: '0023_signed-receipts', sql: m23 },
  { name: '0024_oauth', sql: m24 },
  { name: '0025_signed-within', sql: m25 },
  { name: '0026_sealed-questions', sql: m26 },
  { name: '0027_cheaper-asks', sql: m27 },
  { name: '0028_token-of-ended', sql: m28 },
  { name: '0029_open-alone', sql: m29 },
  { name: '0030_answered-on', sql: m30 },
  { name: '0031_people-gone', sql: m31 },
  { name: '0032_joined-calls', sql: m32 },
  { name: '0033_notification-keys', sql: m33 },
  { name: '0034_hook-gaps', sql: m34 },
]
