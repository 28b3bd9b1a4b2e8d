import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOfCall } from '../../../src/ask/questions/model/key.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts'
import { type Kept, senderTo, signedIn } from '../../support/kept-story.ts'
import { aQuestion } from '../../support/question.ts'
import { startedApp } from '../../support/started-app.ts'

const BEFORE = '0010_no-counts'
const KEPT = join(import.meta.dir, '../../fixtures/databases', BEFORE)

type Row = Record<string, unknown> & { id: string; key: string }

/** Rows as the program before wrote them, like the open question of its story but for `changes`. */
function add(database: Database, like: string, changes: Row): void {
  const [open] = database.query<Row, [string]>('select * from questions where id = ?').all(like)
  const row = { ...open, ...changes }
  const names = Object.keys(row)
  const values = names.map(() => '?').join()
  database
    .query(`insert into questions (${names.join()}) values (${values})`)
    .run(...(Object.values(row) as string[]))
}

/** The server of today over the database of then, a minute after its story ended. */
async function upgraded(rows: (like: Kept['open']) => Row[]) {
  const kept: Kept = JSON.parse(readFileSync(`${KEPT}.json`, 'utf8'))
  const ago = Date.now() - kept.at - 60_000
  const house = await startedApp({
    env: { BECKON_CATALOG_PROBES: 'off' },
    clock: { ...systemClock, now: () => Date.now() - ago },
    fill: async (folder) => {
      const path = join(folder, 'beckon.db')
      writeFileSync(path, Bun.zstdDecompressSync(readFileSync(`${KEPT}.db.zst`)))
      using database = new Database(path)
      for (const row of rows(kept.open)) add(database, kept.open.id, row)
    },
  })
  const { url } = house.app
  const send = senderTo(url, { authorization: `Bearer ${kept.token}` })
  const close = () => house[Symbol.asyncDispose]()
  return { url, send, [Symbol.asyncDispose]: close }
}

test('a hook that asks again across the update is not a second question', async () => {
  const asked = { toolName: 'Bash', action: 'npm test', toolTarget: 'npm test' }
  await using house = await upgraded(() => [
    {
      id: 'q_hook',
      key: 'tool:toolu_1',
      question: 'Run this command?',
      session_id: 's',
      machine_id: 'm',
      repo_key: 'r',
      detail: JSON.stringify({ ...asked, pausedAware: true }),
    },
  ])
  const approve = async (ask: object, more: object = {}) => {
    const report = { event: 'approval', sessionId: 's', machineId: 'm', repoKey: 'r', ...more }
    const said = await house.send('/hooks/claude', {
      ...report,
      ask: { question: 'Run this command?', ...asked, toolUseId: 'toolu_1', wait: false, ...ask },
    })
    return (said.question as { correlationId: string }).correlationId
  }
  expect(await approve({ requestId: 'of-the-new-hook' })).toBe('q_hook')
  expect(await approve({ action: 'rm -rf /' })).not.toBe('q_hook')
  expect(await approve({}, { sessionId: 't' })).not.toBe('q_hook')
  const person = await signedIn(house.url)
  await person('/questions/q_hook/answer', { value: 'yes' })
  expect(await approve({})).toBe('q_hook')
})

test('a model and a proposal that come again across the update join, from their own session', async () => {
  await using house = await upgraded(({ question }) => [
    { id: 'q_tool', key: 'tool:call_1', question, session_id: 's' },
    { id: 'q_test', key: 'request:call_1', question, test: 1, held: 'test_traffic' },
  ])
  const ask = async (more: object) =>
    (await house.send('/questions', { question: 'Deploy build 42?', wait: false, ...more }))
      .correlationId
  expect(await ask({ toolUseId: 'call_1', sessionId: 's' })).toBe('q_tool')
  expect(await ask({ toolUseId: 'call_1' })).not.toBe('q_tool')
  expect(await ask({ requestId: 'call_1', env: 'test' })).toBe('q_test')
  expect(await ask({ requestId: 'call_1' })).not.toBe('q_test')
})

test('the old keys become those that the calls have now, whatever is in them', () => {
  using database = new Database(':memory:', { strict: true })
  const at = MIGRATIONS.findIndex(({ name }) => name.endsWith('_call-keys'))
  for (const { sql } of MIGRATIONS.slice(0, at)) database.run(sql)
  const id = 'a"b\\c\u00e9\u{1f600}\n\u0001/:x<>&\u2028'
  const insert = database.query(
    `insert into questions (id, workspace_id, token_id, origin, type, question, choices, detail, targeting, test,
      delivery_mode, policy_wait_ms, key, status, created_at, expires_at, wait_ends_at, machine_id, session_id, repo_key)
     values (?, 'ws_1', 'key_1', ?, 'confirm', 'Q?', '[]', '{}', '{}', ?, 'push_first', 1, ?, 'pending', 1, 2, 3, ?, ?, ?)`,
  )
  insert.run('q_1', 'ask', 0, `tool:${id}`, 'm', 's:"x', null)
  insert.run('q_2', 'ask', 1, 'request:call_1', null, null, 'r')
  insert.run('q_3', 'scope', 0, 'scope:s:1:call:2', null, 's:1', null)
  insert.run('q_4', 'ask', 0, null, null, null, null)
  database.run(MIGRATIONS[at]?.sql ?? '')
  const keys = database.query('select key from questions order by id').values().flat()
  const named = { by: 'model' } as const
  expect(keys).toEqual([
    keyOfCall(aQuestion('1', { machineId: 'm', sessionId: 's:"x' }), {
      ...named,
      kind: 'tool',
      id,
    }),
    keyOfCall(aQuestion('2', { test: true, repoKey: 'r' }), {
      ...named,
      ...{ kind: 'request', id: 'call_1' },
    }),
    keyOfCall(aQuestion('3', { sessionId: 's:1' }), { ...named, kind: 'scope', id: 'call:2' }),
    null,
  ])
})
