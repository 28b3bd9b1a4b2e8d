import { expect, test } from 'bun:test'
import { DEFAULT_POLICY } from '../../src/ask/policy/model/policy.ts'
import type { Rule } from '../../src/ask/policy/model/rule.ts'
import * as store from '../../src/ask/policy/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const rule = (id: string, changes: Partial<Rule> = {}): Rule => ({
  id: `rule_${id}`,
  workspaceId: 'ws_1',
  match: { toolName: 'Bash' },
  set: { waitMs: 5_000 },
  decision: undefined,
  createdAt: 5,
  ...changes,
})

onBothDatabases('policies', (db) => {
  test('a policy is the default until it is changed, field by field', async () => {
    expect(await store.readPolicy(db().read, 'ws_1')).toEqual(DEFAULT_POLICY)
    await db().write((tx) => store.changePolicy(tx, 'ws_1', { waitMs: 9_000 }, 1))
    const quietHours = { from: '22:00', to: '07:00', zone: 'UTC' }
    const changed = await db().write((tx) => store.changePolicy(tx, 'ws_1', { quietHours }, 2))
    const expected = { ...DEFAULT_POLICY, waitMs: 9_000, quietHours }
    expect(changed).toEqual(expected)
    expect(await store.readPolicy(db().read, 'ws_1')).toEqual(expected)
    expect(await store.readPolicy(db().read, 'ws_2')).toEqual(DEFAULT_POLICY)
  })

  test('a workspace knows the file that its policy comes from', async () => {
    const origin = { name: 'policy.yaml', digest: 'd1', at: 4, by: 'Ana' }
    const put = (file: typeof origin | null) =>
      db().write((tx) => store.putOrigin(tx, 'ws_4', file, 5))
    expect(await store.readOrigin(db().read, 'ws_4')).toBeUndefined()
    await put(origin)
    expect(await store.readOrigin(db().read, 'ws_4')).toEqual(origin)
    await db().write((tx) => store.changePolicy(tx, 'ws_4', { waitMs: 9_000 }, 6))
    expect(await store.readOrigin(db().read, 'ws_4')).toEqual(origin)
    await put(null)
    expect(await store.readOrigin(db().read, 'ws_4')).toBeUndefined()
    expect((await store.readPolicy(db().read, 'ws_4')).waitMs).toBe(9_000)
  })

  test('rules are listed oldest first, changed and removed in their own workspace alone', async () => {
    const decided = rule('1', { decision: 'deny', set: {} })
    await db().write((tx) => store.insertRule(tx, rule('2')))
    await db().write((tx) => store.insertRule(tx, decided))
    expect(await store.listRules(db().read, 'ws_1')).toEqual([decided, rule('2')])
    expect(await store.listRules(db().read, 'ws_2')).toEqual([])

    expect(await store.findRule(db().read, 'ws_1', 'rule_2')).toEqual(rule('2'))
    expect(await store.findRule(db().read, 'ws_2', 'rule_2')).toBeUndefined()

    const set = { deliveryMode: 'push_only' as const }
    const change = (ws: 'ws_1' | 'ws_2', parts: Parameters<typeof store.updateRule>[3]) =>
      db().write((tx) => store.updateRule(tx, ws, 'rule_2', parts))
    expect(await change('ws_2', { set })).toBeUndefined()
    expect(await change('ws_1', { set })).toEqual(rule('2', { set }))
    expect(await change('ws_1', {})).toEqual(rule('2', { set }))

    const remove = (ws: 'ws_1' | 'ws_2') => db().write((tx) => store.deleteRule(tx, ws, 'rule_2'))
    expect(await remove('ws_2')).toBe(false)
    expect(await remove('ws_1')).toBe(true)
    expect(await remove('ws_1')).toBe(false)
  })
})
