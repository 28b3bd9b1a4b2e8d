import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hookCheck } from '../../../src/ask/health/hook-check.ts'
import { deleteRule, insertRule } from '../../../src/ask/policy/model/store.ts'
import { sightHook } from '../../../src/ask/scopes/model/hook-store.ts'
import { insertContract } from '../../../src/ask/scopes/model/store.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const HOME = 'ws_home' as const
const HOUR = 60 * 60_000
const NOW = 48 * HOUR

test('the hooks that reported are named, and a scope that none checks is a warning', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const look = () => hookCheck(db.read, [HOME], NOW)
  const report = (sessionId: string, more: object, at = NOW - HOUR) =>
    db.write((tx) =>
      sightHook(tx, {
        workspaceId: HOME,
        sessionId,
        machineId: 'm',
        client: 'claude',
        clientVersion: '2.1.300',
        hookVersion: '0.5.0',
        at,
        ended: false,
        ...more,
      }),
    )
  expect(await look()).toMatchObject({ state: 'skip' })
  await report('s1', {})
  await report('s2', {})
  await report('s3', { client: 'codex', clientVersion: undefined, hookVersion: undefined })
  await report('old', { client: 'cursor' }, NOW - 25 * HOUR)
  await report('away', { workspaceId: 'ws_other', client: 'goose' })
  expect(await look()).toMatchObject({
    state: 'ok',
    said: 'In the last 24 hours: codex (one session), claude 2.1.300 (hook 0.5.0, 2 sessions).',
  })
  await report('s4', { hookVersion: '0.0.9' })
  await report('s5', { hookVersion: 'mine' })
  expect((await look()).state).toBe('ok')
  const rule = { workspaceId: HOME, match: { toolName: 'Bash' }, set: {}, createdAt: 1 } as const
  await db.write((tx) => insertRule(tx, { ...rule, id: 'rule_1', decision: 'allow' }))
  expect((await look()).state).toBe('ok')
  await db.write((tx) => insertRule(tx, { ...rule, id: 'rule_2', decision: 'deny' }))
  expect(await look()).toMatchObject({
    state: 'warn',
    said: expect.stringContaining('Some hooks are older than this server'),
    cure: 'Run beckon update on the machines of these agents.',
  })
  await db.write((tx) => deleteRule(tx, HOME, 'rule_2'))
  const contract = (questionId: `q_${string}`, sessionId: string, test = false) =>
    db.write((tx) =>
      insertContract(tx, {
        questionId,
        sessionId,
        test,
        workspaceId: HOME,
        allowedPaths: ['src'],
        offLimitsPaths: [],
        promises: [],
        doneWhen: 'Green.',
        edited: false,
        ratifiedBy: undefined,
        ratifiedAt: NOW - 1,
        expiresAt: NOW + HOUR,
      }),
    )
  await contract('q_1', 's1')
  await contract('q_2', 'tried', true)
  expect((await look()).state).toBe('ok')
  await contract('q_3', 'invented')
  expect(await look()).toMatchObject({
    state: 'warn',
    said: expect.stringContaining('One session has a scope that no hook checks.'),
    cure: 'Run beckon setup on the machine of the agent.',
  })
})
