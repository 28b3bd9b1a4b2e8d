import { expect, test } from 'bun:test'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { pageWorld } from '../../support/page-world.ts'

const RULE = {
  agentName: 'Codex',
  toolName: 'Bash',
  toolTarget: 'git push*',
  repoKey: 'shop',
  machineId: '',
  mode: 'push_only',
  wait: '50',
  grace: '',
  tags: '',
}

test('what becomes of approvals is chosen on the form, said in the list, and taken back', async () => {
  await using world = await pageWorld()
  const rule = { ...RULE, mode: '', wait: '' }
  await world.post('/settings/rules/new', { ...rule, decision: 'allow' })
  const [stored] = await listRules(world.db.read, world.workspaceId)
  expect(stored?.decision).toBe('allow')
  expect(await (await world.get('/settings/rules')).text()).toContain('allow it without asking')
  await world.post(`/settings/rules/${stored?.id}`, { ...RULE, decision: '' })
  const [changed] = await listRules(world.db.read, world.workspaceId)
  expect([changed?.decision, changed?.set.deliveryMode]).toEqual([undefined, 'push_only'])
})

test('what becomes of approvals is never "allow" for every tool at once', async () => {
  await using world = await pageWorld()
  const rule = { ...RULE, toolName: '', decision: 'allow' }
  const response = await world.post('/settings/rules/new', rule)
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining('Name the tool that may be used without asking.'),
  ])
  expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
})
