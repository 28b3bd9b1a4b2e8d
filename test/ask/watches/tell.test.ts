import { expect, test } from 'bun:test'
import { listLiveTokens } from '../../../src/ask/accounts/model/token-store.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { setSwitch } from '../../../src/ask/subscribers/model/switch-store.ts'
import { putOneWatch, resumeAll, stopAll } from '../../../src/ask/watches/change-watches.ts'
import { listWatches } from '../../../src/ask/watches/model/store.ts'
import { tellWatchers } from '../../../src/ask/watches/tell-watchers.ts'
import { BASE, catalogOf, newsItem, watchWorld } from '../../support/watch-world.ts'

const TOOL = { kind: 'tool', target: 'acme-mail' } as const

test('what was there before a watch is not told, and what came after is, once', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  const before = newsItem('before')
  world.catalog.shown = catalogOf([before])
  await putOneWatch(world.deps, ana, TOOL)
  await world.tell()
  expect(world.bodies()).toEqual([])
  world.catalog.shown = catalogOf([newsItem('after'), before])
  await world.tell()
  await world.tell()
  const [body, ...more] = world.bodies()
  expect(more).toEqual([])
  expect(body).toContain(`${BASE}/tools/acme-mail`)
  expect(body).toContain(`${BASE}/watches/stop/`)
  expect(world.errors).toEqual([])
})

test('one message has all that is new, each with its page', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  await putOneWatch(world.deps, ana, { kind: 'category', target: 'messaging' })
  await putOneWatch(world.deps, ana, { kind: 'capability', target: 'email' })
  const other = newsItem('two', { tool: 'other', title: 'Other: two' })
  world.catalog.shown = catalogOf([newsItem('one'), other])
  await world.tell()
  expect(world.flows.deliveries.map(({ message }) => message.title)).toEqual([
    '2 news of tools that you watch',
  ])
  const [body] = world.bodies()
  expect(body).toContain(`${BASE}/tools/acme-mail`)
  expect(body).toContain(`${BASE}/tools/other`)
})

test('a watch tells what it is about, and a break that is not known is none', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  world.catalog.shown = catalogOf([
    newsItem('list', { kind: 'tools', breaking: null }),
    newsItem('version', { kind: 'version' }),
    newsItem('elsewhere', { tool: 'other' }),
    newsItem('broke', { kind: 'tools', breaking: true }),
  ])
  await world.tell()
  expect(world.flows.deliveries.map(({ message }) => message.title)).toEqual(['Acme Mail: broke'])
  await putOneWatch(world.deps, ana, { ...TOOL, news: ['versions'] })
  world.catalog.shown = catalogOf([newsItem('version', { kind: 'version', state: 'later' })])
  await world.tell()
  expect(world.bodies()).toHaveLength(2)
})

test('a subject that comes back to an earlier state is told again', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  for (const state of ['announced', 'withdrawn', 'announced']) {
    world.catalog.shown = catalogOf([newsItem('end', { state })])
    await world.tell()
  }
  expect(world.bodies()).toHaveLength(3)
})

test('only whoever watches is told, on devices of their own', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await world.person('bob')
  await world.flows.device('shared')
  await putOneWatch(world.deps, ana, TOOL)
  world.catalog.shown = catalogOf([newsItem('one')])
  await world.tell()
  expect(world.flows.deliveries.map(({ to }) => to.label)).toEqual(['ana'])
})

test('nothing is sent in quiet hours, and everything after them in one message', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  const quietHours = { from: '11:00', to: '13:00', zone: 'UTC' }
  await setPolicy(world.deps, world.workspaceId, { quietHours })
  world.catalog.shown = catalogOf([newsItem('one')])
  await world.tell()
  world.catalog.shown = catalogOf([newsItem('one'), newsItem('two')])
  await world.tell()
  expect(world.bodies()).toEqual([])
  await world.flows.clock.advance(2 * 3_600_000)
  await world.tell()
  expect(world.bodies()).toHaveLength(1)
  expect(world.bodies()[0]).toContain('Acme Mail: two')
})

test('a switch of the person holds the message back', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  const off = { sort: 'info', kind: 'browser', on: false } as const
  await world.deps.db.write((tx) => setSwitch(tx, ana, off))
  world.catalog.shown = catalogOf([newsItem('one')])
  await world.tell()
  expect(world.bodies()).toEqual([])
  expect(world.errors).toEqual([])
})

test('one step stops everything, and what came meanwhile is not told later', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  expect(await stopAll(world.deps, ana)).toBe(1)
  expect(await stopAll(world.deps, ana)).toBe(0)
  world.catalog.shown = catalogOf([newsItem('one')])
  await world.tell()
  await putOneWatch(world.deps, await world.person('bob'), TOOL)
  await resumeAll(world.deps, ana)
  await world.tell()
  expect(world.bodies()).toEqual([])
  world.catalog.shown = catalogOf([newsItem('one'), newsItem('two')])
  await world.tell()
  expect(world.bodies('ana')).toHaveLength(1)
})

test('a record that is gone is said once, and its watch ends; a renamed one goes on', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  await putOneWatch(world.deps, ana, { kind: 'tool', target: 'other' })
  const records = ['acme-mail', 'other']
  await putOneWatch(world.deps, ana, { kind: 'list', target: 'shop', records })
  world.catalog.shown = catalogOf([], ['acme-post'], { 'acme-mail': 'acme-post' })
  await world.tell()
  await world.tell()
  expect(world.bodies()).toHaveLength(1)
  expect(world.bodies()[0]).toContain('other is no longer in the catalog')
  const left = await listWatches(world.deps.db.read, ana)
  expect(left.map(({ kind, target, records }) => [kind, target, records]).sort()).toEqual([
    ['list', 'shop', ['acme-post']],
    ['tool', 'acme-post', []],
  ])
})

test('a catalog that is not shown says nothing of what is gone', async () => {
  await using world = await watchWorld()
  await putOneWatch(world.deps, await world.person('ana'), TOOL)
  world.catalog.shown = undefined
  await world.tell()
  world.catalog.shown = catalogOf([])
  await world.tell()
  expect(world.bodies()).toEqual([])
})

test('two processes at once tell once', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  world.catalog.shown = catalogOf([newsItem('one')])
  await Promise.all([tellWatchers(world.deps), tellWatchers(world.deps)])
  expect(world.bodies()).toHaveLength(1)
  const page = { offset: 0, limit: 10 }
  const of = { workspaceId: world.workspaceId }
  expect((await listLiveTokens(world.deps.db.read, of, page)).length).toBeLessThanOrEqual(2)
})

test('a message that cannot be stored is told with the next look', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  await putOneWatch(world.deps, ana, TOOL)
  world.catalog.shown = catalogOf([newsItem('one')])
  const store = async () => {
    throw new Error('the disk is full')
  }
  await tellWatchers({ ...world.deps, sender: { ...world.deps.sender, store } })
  expect(world.errors).toHaveLength(1)
  expect(world.bodies()).toEqual([])
  await world.tell()
  await world.tell()
  expect(world.bodies()).toHaveLength(1)
})

test('what the catalog does not have is refused', async () => {
  await using world = await watchWorld()
  const ana = await world.person('ana')
  const put = (request: Parameters<typeof putOneWatch>[2]) =>
    putOneWatch(world.deps, ana, request).then(
      () => 'watched',
      (error) => error.code,
    )
  expect(await put({ kind: 'tool', target: 'nothing' })).toBe('invalid_input')
  expect(await put({ kind: 'category', target: 'nothing' })).toBe('invalid_input')
  expect(await put({ kind: 'capability', target: 'emai' })).toBe('invalid_input')
  expect(await put({ kind: 'list', target: 'shop', records: [] })).toBe('invalid_input')
  expect(await put({ kind: 'list', target: 'shop', records: ['nothing'] })).toBe('invalid_input')
  world.catalog.shown = undefined
  expect(await put(TOOL)).toBe('not_found')
})
