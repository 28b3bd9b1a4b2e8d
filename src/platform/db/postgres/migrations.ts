// Written by drizzle/generate.ts.
import m0 from '../../../../drizzle/postgres/0035_start.sql' with { type: 'text' }
import m1 from '../../../../drizzle/postgres/0036_turns.sql' with { type: 'text' }
import m2 from '../../../../drizzle/postgres/0037_chats.sql' with { type: 'text' }
import m3 from '../../../../drizzle/postgres/0038_response-times.sql' with { type: 'text' }
import m4 from '../../../../drizzle/postgres/0039_held-answers.sql' with { type: 'text' }
import m5 from '../../../../drizzle/postgres/0040_gates.sql' with { type: 'text' }
import m6 from '../../../../drizzle/postgres/0041_turn-names.sql' with { type: 'text' }
import m7 from '../../../../drizzle/postgres/0042_groups.sql' with { type: 'text' }
import m8 from '../../../../drizzle/postgres/0043_company-sign-in.sql' with { type: 'text' }
import m9 from '../../../../drizzle/postgres/0044_catalog-history.sql' with { type: 'text' }
import m10 from '../../../../drizzle/postgres/0045_votes.sql' with { type: 'text' }
import m11 from '../../../../drizzle/postgres/0046_gate-upstreams.sql' with { type: 'text' }
import m12 from '../../../../drizzle/postgres/0047_directories.sql' with { type: 'text' }
import m13 from '../../../../drizzle/postgres/0048_policy-files.sql' with { type: 'text' }
import m14 from '../../../../drizzle/postgres/0049_gate-upstream-tokens.sql' with { type: 'text' }
import m15 from '../../../../drizzle/postgres/0050_gate-versions.sql' with { type: 'text' }
import m16 from '../../../../drizzle/postgres/0051_policy-tokens.sql' with { type: 'text' }
import m17 from '../../../../drizzle/postgres/0052_visibility.sql' with { type: 'text' }
import m18 from '../../../../drizzle/postgres/0053_proven-at.sql' with { type: 'text' }
import m19 from '../../../../drizzle/postgres/0054_rotas.sql' with { type: 'text' }
import m20 from '../../../../drizzle/postgres/0055_catalog-watches.sql' with { type: 'text' }
import m21 from '../../../../drizzle/postgres/0056_token-owner-group.sql' with { type: 'text' }
import m22 from '../../../../drizzle/postgres/0057_vote-passkey.sql' with { type: 'text' }
import m23 from '../../../../drizzle/postgres/0058_chat-account-links.sql' with { type: 'text' }
import m24 from '../../../../drizzle/postgres/0059_protect.sql' with { type: 'text' }
import m25 from '../../../../drizzle/postgres/0060_telling.sql' with { type: 'text' }
import m26 from '../../../../drizzle/postgres/0061_telling-steps.sql' with { type: 'text' }
import m27 from '../../../../drizzle/postgres/0062_watch-mode.sql' with { type: 'text' }

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
  { name: '0035_start', sql: m0 },
  { name: '0036_turns', sql: m1 },
  { name: '0037_chats', sql: m2 },
  { name: '0038_response-times', sql: m3 },
  { name: '0039_held-answers', sql: m4 },
  { name: '0040_gates', sql: m5 },
  { name: '0041_turn-names', sql: m6 },
  { name: '0042_groups', sql: m7 },
  { name: '0043_company-sign-in', sql: m8 },
  { name: '0044_catalog-history', sql: m9 },
  { name: '0045_votes', sql: m10 },
  { name: '0046_gate-upstreams', sql: m11 },
  { name: '0047_directories', sql: m12 },
  { name: '0048_policy-files', sql: m13 },
  { name: '0049_gate-upstream-tokens', sql: m14 },
  { name: '0050_gate-versions', sql: m15 },
  { name: '0051_policy-tokens', sql: m16 },
  { name: '0052_visibility', sql: m17 },
  { name: '0053_proven-at', sql: m18 },
  { name: '0054_rotas', sql: m19 },
  { name: '0055_catalog-watches', sql: m20 },
  { name: '0056_token-owner-group', sql: m21 },
  { name: '0057_vote-passkey', sql: m22 },
  { name: '0058_chat-account-links', sql: m23 },
  { name: '0059_protect', sql: m24 },
  { name: '0060_telling', sql: m25 },
  { name: '0061_telling-steps', sql: m26 },
  { name: '0062_watch-mode', sql: m27 },
]
