import { expect, test } from 'bun:test'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { pageWorld } from '../../support/page-world.ts'

const EMPTY = { machineId: '', agentName: '', mode: '', wait: '', grace: '', tags: '' }

const RULES = [
  { toolName: 'Bash', toolTarget: 'npm test*', repoKey: 'shop', decision: 'allow' },
  { toolName: 'Bash', toolTarget: 'git push*', repoKey: 'shop', wait: '50' },
  { toolName: 'Edit', toolTarget: '', repoKey: 'site', decision: 'allow' },
  { toolName: 'WebFetch', toolTarget: '', repoKey: '', decision: 'deny' },
  { toolName: 'WebSearch', toolTarget: '', repoKey: '', decision: 'deny' },
]

test('rules stand by repository, say when they were last used, and are searched', async () => {
  await using world = await pageWorld()
  for (const rule of RULES) {
    expect((await world.post('/settings/rules/new', { ...EMPTY, ...rule })).status).toBe(303)
  }
  const detail = { toolName: 'Bash', toolTarget: 'git push origin', action: 'git push origin' }
  await world.ask({ repoKey: 'shop', detail })
  const page = async (query = '') => (await world.get(`/settings/rules${query}`)).text()
  const groups = (text: string) =>
    [...text.matchAll(/<section class="part" aria-label="([^"]+)"/g)].map(([, name]) => name)
  const cards = (text: string) => text.split('<li class="thing" id="rule-').slice(1)
  const all = await page()
  expect(groups(all)).toEqual(['In every repository', 'shop', 'site'])
  expect(cards(all)).toHaveLength(RULES.length)
  const used = cards(all).filter((card) => card.includes('Last used'))
  expect(used).toHaveLength(1)
  expect(used[0]).toContain('git push*')
  const always = 'except what deserves a second look: that always asks'
  expect(cards(all).filter((card) => card.includes(always))).toHaveLength(2)
  const html = await page('?q=npm+SHOP')
  expect([groups(html), cards(html).length]).toEqual([['shop'], 1])
  expect(await page('?q=nothing')).toContain('No rule has these words.')
  expect(await listRules(world.db.read, world.workspaceId)).toHaveLength(RULES.length)
})
