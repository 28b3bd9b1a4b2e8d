import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/platform/db/find-database.ts'

const DAY_MS = 24 * 60 * 60_000
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** So many questions, evenly from the one to the other; `name` keeps the sessions apart. */
export type TimeRange = { name: string; count: number; fromDays: number; untilDays: number }

/** Rows of every table that a question leaves something in. */
export type Filled = Record<string, number>

/**
 * Fills a data folder with questions that have ended, seven tenths of them in the home workspace
 * and the others in three more, and with what hangs on them, in the numbers that a server leaves.
 * They say that they are sealed, as those of a server would be. Made by SQL without indexes, which are built at the end, so that a million takes half a minute.
 */
export function fillWithEnded(folder: string, range: TimeRange, now: number): Filled {
  const { name, count, fromDays, untilDays } = range
  const db = new Database(join(folder, DATABASE_FILE))
  db.run('pragma journal_mode = off')
  db.run('pragma synchronous = off')
  db.run('pragma cache_size = -200000')
  db.run('pragma temp_store = memory')
  const home = db.query<{ id: string }, []>('select workspace_id id from agent_tokens').get()
  const from = now - fromDays * DAY_MS
  const stepMs = ((fromDays - untilDays) * DAY_MS) / count
  const filled: Filled = {}
  const statements = insertions({ home: home?.id ?? 'ws_0', name, from, stepMs, count })
  for (const [table, insert] of Object.entries(statements)) {
    const indexes = db
      .query<{ name: string; sql: string }, [string]>(
        "select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
      )
      .all(table)
    for (const { name } of indexes) db.run(`drop index "${name}"`)
    filled[table] = db.run(insert).changes
    for (const { sql } of indexes) db.run(sql)
  }
  db.run('pragma journal_mode = wal')
  db.close()
  writeOut(join(folder, DATABASE_FILE))
  return filled
}

/** What is still in memory would be written by the first commit that waits for the disk. */
function writeOut(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

type Plan = { home: string; name: string; from: number; stepMs: number; count: number }

/** One statement a table; `old` is what all of them are made of. */
function insertions({ home, name, from, stepMs, count }: Plan): Record<string, string> {
  const at = `cast(${from} + n * ${stepMs} as integer)`
  const old = (where = 'true') => `
    with recursive i(n) as (select 0 union all select n + 1 from i where n < ${count - 1}),
    old as (
      select n, ${at} as at, (n * 2654435761) % 4294967296 as mixed,
        ${timeText(at)} || printf('%016x', (n * 2654435761) % 4294967296 * 1000003 + n) as body,
        case when n % 10 < 7 then '${home}' else printf('ws_%025d', n % 10) end as workspace,
        printf('key_%025d', n % 20) as token,
        -- Forty sessions at a time, each with fifty questions.
        printf('${name}-%08d', n / 2000 * 40 + n % 40) as session,
        printf('machine-%02d', n % 40 % 12) as machine,
        case when n % 100 < 80 then 'answered' when n % 100 < 92 then 'expired'
          when n % 100 < 97 then 'cancelled' else 'stopped' end as status
      from i where ${where}
    )`
  const question = `'May I run step ' || mixed || ' of the migration on the shop database?'`
  const ended = `case status when 'expired' then at + 600000 else at + 2000 + mixed % 300000 end`
  const message = (kind: string) => `json_object('kind', '${kind}', 'title', 'Claude Code asks',
    'body', ${question}, 'tag', 'q_' || body, 'url', '/d/q_' || body, 'urgency', 'high',
    'question', json_object('correlationId', 'q_' || body, 'type', 'confirm', 'quick', json('true')))`
  const delivery = (kind: string, device: number, where: string) => `
    select substr('dl_' || body, 1, 26) || '${device}${kind[0]}', workspace, 'q_' || body,
      printf('sub_%025d', n % 8 + ${device}), 'browser', ${message(kind)},
      case when n % 50 = 49 then 'gone' else 'accepted' end, 1, at, at + 600000, 0, at,
      at + 100 + mixed % 900, 201, 0 from old where ${where}`
  return {
    questions: `${old()} insert into questions (id, workspace_id, token_id, origin, type, question,
        choices, detail, agent_name, machine_id, session_id, repo_key, targeting, test,
        delivery_mode, policy_wait_ms, key, status, created_at, expires_at, wait_ends_at,
        abandoned_at, value, answer_source, answered_by, ended_at, end_reason, asked_seal, ended_seal)
      select 'q_' || body, workspace, token, iif(n % 200 = 0, 'scope', 'ask'),
        case when n % 10 < 7 then 'confirm' when n % 10 < 9 then 'choice' else 'input' end,
        ${question}, iif(n % 10 in (7, 8), '[{"value":"a","label":"A"},{"value":"b","label":"B"}]', '[]'),
        '{}', 'Claude Code - shop ' || (n % 40), machine, session, 'github.com/acme/shop', '{}', 0,
        'push_first', 45000, iif(n % 5 < 3, 'request:' || substr(body, 10) || substr(body, 1, 9), null), status, at,
        at + 600000, at + 45000, iif(n % 33 = 0, at + 50000, null),
        iif(status = 'answered', 'yes', null), iif(status = 'answered', 'web', null),
        iif(status = 'answered', 'person-' || (n % 5), null), ${ended},
        iif(status = 'cancelled', 'no longer needed', null), 0, 0 from old`,
    deliveries: `${old()} insert into deliveries (id, workspace_id, subject_id, subscriber_id, kind,
        message, state, attempts, next_at, expires_at, claimed_until, created_at, ended_at, last_status, seal)
      ${delivery('question', 1, 'true')} union all ${delivery('question', 2, 'n % 5 = 0')}
      union all ${delivery('outcome', 2, 'n % 5 = 0')}`,
    notifications: `${old('n % 3 = 0')} insert into notifications (id, workspace_id, token_id, title,
        body, agent_name, machine_id, session_id, targeting, test, created_at, group_id, group_size, seal)
      select 'n_' || body, workspace, token, 'Step ' || mixed || ' is done', 'All tests pass.',
        'Claude Code - shop ' || (n % 40), machine, session, '{}', 0, at, 'n_' || body, 1, 0 from old`,
    agent_sessions: `${old('n % 2000 < 40')} insert into agent_sessions (id, workspace_id, machine_id,
        session_id, agent_name, repo_key, last_action, last_seen_at, unanswered, created_at)
      select 'ses_' || body, workspace, machine, session, 'Claude Code - shop ' || (n % 40),
        'github.com/acme/shop', 'bun test', at + 1900 * ${Math.round(stepMs)}, 0, at from old`,
    hooks: `${old('n % 2000 < 40')} insert into hooks (workspace_id, session_id, machine_id, client,
        example_paths, first_seen_at, last_seen_at)
      select workspace, session, machine, 'claude', '[]', at, at + 1900 * ${Math.round(stepMs)} from old`,
    contracts: `${old('n % 200 = 0')} insert into contracts (question_id, workspace_id, session_id,
        allowed_paths, off_limits_paths, promises, done_when, edited, test, ratified_at, expires_at)
      select 'q_' || body, workspace, session, '["src/**"]', '[]', '[]', 'tests pass', 0, 0, at,
        at + 86400000 from old`,
    callbacks: `${old('n % 30 = 0')} insert into callbacks (id, workspace_id, question_id, url, origin,
        body, test, state, attempts, next_at, expires_at, claimed_until, created_at, ended_at, last_status)
      select 'cb_' || body, workspace, 'q_' || body, 'https://ci.example.com/hook/' || n,
        'https://ci.example.com', '{"correlationId":"q_' || body || '"}', 0, 'delivered', 1, at,
        at + 86400000, 0, at, at + 400, 200 from old`,
    callback_attempts: `${old('n % 30 = 0')} insert into callback_attempts (id, callback_id, at, status)
      select 'at_' || body, 'cb_' || body, at + 400, 200 from old`,
    late_answers: `${old('n % 200 = 7')} insert into late_answers (id, workspace_id, question_id, value, at, seal)
      select 'la_' || body, workspace, 'q_' || body, 'yes', at + 700000, 0 from old`,
    used_links: `${old('n % 5 = 0')} insert into used_links (question_id, subscriber_id, purpose, at)
      select 'q_' || body, printf('sub_%025d', n % 8 + 1), 'page', at + 9000 from old`,
    audit: `${old('n % 50 = 0')} insert into audit (id, workspace_id, at, kind, person_id, person_name,
        subject_id, subject_name)
      select 'au_' || body, workspace, at, iif(n % 500 = 0, 'device.connected', 'sign_in.succeeded'),
        'person-' || (n % 5), 'Ann', iif(n % 500 = 0, 'sub_' || body, null),
        iif(n % 500 = 0, 'Firefox on Linux', null) from old`,
  }
}

/** The nine characters of an id that say when it was made. */
function timeText(instant: string): string {
  const digits = Array.from({ length: 9 }, (_, i) => 5 * (8 - i))
  return digits
    .map((shift) => `substr('${ALPHABET}', ((${instant}) >> ${shift} & 31) + 1, 1)`)
    .join(' || ')
}
