import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insertDeliveries } from '../../../src/ask/delivery/model/store.ts'
import {
  addRule,
  changeRule,
  removeRule,
  setPolicy,
} from '../../../src/ask/policy/change-policy.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { unsent } from '../../../src/platform/db/outbox-store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
  await world.ask({ question: 'Ship <b>it</b>?', agentName: 'Agent one', sessionId: 's1' }, 60_000)
  await world.ask({ question: 'Something else?', agentName: 'Agent two' }, 50_000)
  const { db, workspaceId } = world
  await createToken({ db, clock: systemClock }, { workspaceId, name: 'For the nightly build' })
})
afterAll(() => world[Symbol.asyncDispose]())

const page = async (query: string) => {
  const response = await world.get(`/audit?${query}`)
  expect(response.status).toBe(200)
  return response.text()
}

test('the trail offers the filter and the exports', async () => {
  const text = await page('')
  expect(text).toContain('Filter and export')
  expect(text).toContain('href="/api/v1/audit?format=csv"')
  expect(text).toContain('href="/api/v1/audit?format=ndjson"')
})

test('the trail is shown as the filter says, and exported the same', async () => {
  const all = await page('')
  expect(all).toContain('Ship &lt;b>it&lt;/b>?')
  expect(all).toContain('For the nightly build')
  const one = await page('kind=question.opened&agent=Agent+one&since=2020-01-01')
  expect(one).toContain('Ship')
  expect(one).not.toContain('Something else?')
  expect(one).not.toContain('For the nightly build')
  const link = /href="(\/api\/v1\/audit\?[^"]+format=csv)"/.exec(one)?.[1] ?? ''
  const query = new URL(link.replaceAll('&amp;', '&'), 'http://a.example').searchParams
  expect(Object.fromEntries(query)).toEqual({
    kind: 'question.opened',
    agent: 'Agent one',
    format: 'csv',
    from: '2020-01-01T00:00:00.000Z',
  })
  expect(await page('until=2020-01-01')).toContain('Nothing like that happened')
})

test('a day, a kind or a place that does not exist does no harm', async () => {
  expect(await page('since=2026-99-99&kind=zz&until=x')).toContain('Ship')
  expect((await world.get('/audit?after=zz')).status).toBe(400)
  const hostile = await page(`agent=${encodeURIComponent('"><script>x</script>')}`)
  expect(hostile).not.toContain('<script>x')
})

test('the address of before leads to the trail, with its filter', async () => {
  const before = await world.get('/activity?trail=1&kind=question.opened')
  expect(before.headers.get('location')).toBe('/audit?trail=1&kind=question.opened')
  expect(await page('trail=1&kind=question.opened')).toContain('Ship')
})

test('days are those of the visitor', async () => {
  const cookie = `${world.cookie}; zone=Pacific/Auckland`
  const response = await world.get('/audit?since=2026-01-10&until=2026-01-10', cookie)
  const text = await response.text()
  expect(text).toContain('from=2026-01-09T11%3A00%3A00.000Z')
  expect(text).toContain('to=2026-01-10T11%3A00%3A00.000Z')
})

test('a change of a rule or of the policy is in words, with what was before', async () => {
  const { db, workspaceId } = world
  const deps = { db, clock: systemClock }
  const match = { toolName: 'Bash', toolTarget: 'npm test*', repoKey: 'shop' }
  const rule = await addRule(deps, workspaceId, { match, decision: 'allow' })
  await changeRule(deps, workspaceId, rule.id, { decision: 'deny' })
  await removeRule(deps, workspaceId, rule.id)
  await setPolicy(deps, workspaceId, { waitMs: 30_000, quietHours: null, pauseAfterUnanswered: 0 })
  const text = (await page('')).replace(/<[^>]+>/g, '')
  const when = 'When an agent runs Bash on npm test* in shop'
  expect(text).toContain(`Added: ${when}, allow it without asking.`)
  expect(text).toContain(`Changed to: ${when}, decline it without asking.`)
  expect(text).toContain(`Before: ${when}, allow it without asking.`)
  expect(text).toContain(`Removed: ${when}, decline it without asking.`)
  expect(text).toContain('Changed to: wait up to 30 s, never pause, no quiet hours')
  expect(text).toContain('Rule changed: Bash on npm test*')
  expect(text).not.toContain('&quot;match&quot;')
  expect(text).not.toContain('{"')
})

test('a question is one row, which unfolds to all that happened to it', async () => {
  const { db, workspaceId } = world
  const id = await world.ask({ question: 'Fold this?', agentName: 'Agent three' })
  await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page' })
  const [device] = await connect(db, aDevice({ workspaceId, label: 'Pixel' }))
  const at = Date.now()
  const words = { kind: 'question', title: 't', body: 'b' } as const
  const message = { ...words, tag: id, url: '/', urgency: 'high' } as const
  const row = {
    ...unsent(at, at + 60_000),
    ...{ id: newId('dl', at), workspaceId, subjectId: id, subscriberId: device?.id ?? 'sub_' },
    ...{ kind: 'browser' as const, message, state: 'accepted' as const, endedAt: at },
    ...{ shownAt: null, openedAt: null, seal: null, messageRef: null },
  }
  await db.write((tx) => insertDeliveries(tx, [row]))
  const all = await page('')
  const rows = all.split('<li class="folded"').filter((part) => part.includes('Fold this?'))
  expect(rows).toHaveLength(1)
  const text = (rows[0] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toMatch(/Fold this\? Agent three Answered: yes/)
  expect(text).toMatch(/Question asked · Agent three/)
  expect(text).toMatch(/Delivered · Agent three · Pixel/)
  expect(text).toMatch(/Answered · Mara Lindqvist · the question's page · yes/)
  expect(rows[0]).toContain(`href="/d/${id}"`)
  const only = await page('kind=question.answered')
  expect(only).toContain('Fold this?')
  expect(only).not.toContain('<li class="folded"')
})
