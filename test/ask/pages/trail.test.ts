import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
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
  const response = await world.get(`/activity?${query}`)
  expect(response.status).toBe(200)
  return response.text()
}

test('activity offers the filter and the exports', async () => {
  const text = await page('')
  expect(text).toContain('Filter and export')
  expect(text).toContain('href="/api/v1/audit?format=csv"')
  expect(text).toContain('href="/api/v1/audit?format=ndjson"')
})

test('the trail is shown as the filter says, and exported the same', async () => {
  const all = await page('trail=1')
  expect(all).toContain('Ship &lt;b>it&lt;/b>?')
  expect(all).toContain('For the nightly build')
  const one = await page('trail=1&kind=question.opened&agent=Agent+one&since=2020-01-01')
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
  expect(await page('trail=1&until=2020-01-01')).toContain('Nothing like that happened')
})

test('a day, a kind or a place that does not exist does no harm', async () => {
  expect(await page('trail=1&since=2026-99-99&kind=zz&until=x')).toContain('Ship')
  expect((await world.get('/activity?trail=1&after=zz')).status).toBe(400)
  const hostile = await page(`trail=1&agent=${encodeURIComponent('"><script>x</script>')}`)
  expect(hostile).not.toContain('<script>x')
})
