import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const MINUTE = 60_000
const YES = { status: 'answered', value: 'yes', answerSource: 'inbox' } as const

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const text = async (path: string) => (await world.get(path)).text()
const pageOf = (repoKey: string) => `/repositories?repoKey=${encodeURIComponent(repoKey)}`

test('a repository has a page with its sessions, questions, rules, scopes and counts', async () => {
  const { db, workspaceId } = world
  const repoKey = 'github.com/acme/shop'
  const key = { machineId: 'm1', sessionId: 'shop' }
  const id = await world.work({ ...key, repoKey, branch: 'topic', machineName: 'laptop' })
  await world.work({ sessionId: 'else', repoKey: 'gitlab.com/else', agentName: 'Else - other' })
  await world.ask({ ...key, repoKey, question: 'Open in shop?' })
  await world.ask({ repoKey: 'gitlab.com/else', question: 'Open elsewhere?' })
  const endedAt = Date.now() - MINUTE
  await world.ask({ ...YES, ...key, repoKey, question: 'Done in shop?', endedAt }, 2 * MINUTE)
  const contract = { allowedPaths: ['src/**'], offLimitsPaths: [], doneWhen: 'All is green' }
  await world.ask({ ...YES, ...key, origin: 'scope', endedAt, detail: { contract } }, 2 * MINUTE)
  const deps = { db, clock: systemClock }
  await addRule(deps, workspaceId, { match: { repoKey, toolName: 'Bash' }, decision: 'allow' })
  await addRule(deps, workspaceId, { match: { toolName: 'Write' }, decision: 'ask' })

  const page = await text(pageOf(repoKey))
  const parts = ['Open in shop?', 'Done in shop?', 'All is green', 'topic', 'on laptop', 'allow']
  for (const part of [...parts, '1 question waiting', '1 rule for every repository']) {
    expect(page).toContain(part)
  }
  expect(page).toContain('1 question: 1 answered by people. The answer took ')
  expect(page).not.toContain('nine of ten.')
  expect(page).toContain(`href="/live/${id}"`)
  expect(page).not.toContain('Open elsewhere?')
  expect(page).not.toContain('Else · other')

  const link = `href="/repositories?repoKey=github.com%2Facme%2Fshop"`
  for (const path of [`/live/${id}`, '/repositories', '/settings/rules']) {
    expect([path, (await text(path)).includes(link)]).toEqual([path, true])
  }
  expect(await text('/sessions')).toContain('href="/repositories"')
})

test('a repository without a remote is called as its folder, where agents say it', async () => {
  await using fresh = await pageWorld()
  const { db, workspaceId } = fresh
  const read = async (path: string) => (await fresh.get(path)).text()
  const repoKey = `path:${'4'.repeat(32)}`
  const other = `path:${'9'.repeat(32)}`
  const folder = 'folder without a remote (99999999)'
  const agentName = 'Claude Code - shop-api'
  const id = await fresh.work({ repoKey, agentName })
  await fresh.work({ sessionId: 's2', repoKey: other, agentName: 'Codex' })
  const questionId = await fresh.ask({ repoKey, agentName })
  await fresh.ask({ repoKey: other, agentName: 'Codex' })
  await addRule({ db, clock: systemClock }, workspaceId, {
    match: { repoKey: other },
    decision: 'ask',
  })
  for (const path of [
    '/repositories',
    `/live/${id}`,
    `/d/${questionId}`,
    '/inbox',
    pageOf(repoKey),
  ])
    expect([path, (await read(path)).includes('>shop-api (no remote)<')]).toEqual([path, true])
  for (const path of ['/repositories', '/sessions', '/settings/rules', '/inbox', pageOf(other)])
    expect([path, (await read(path)).includes(folder)]).toEqual([path, true])
  // A rule is written with the key.
  expect(await read(pageOf(repoKey))).toContain(`>${repoKey}<`)
  for (const path of ['/repositories', '/sessions', '/inbox', '/settings/rules'])
    expect([path, (await read(path)).includes(`>${other}<`)]).toEqual([path, false])
})

test('questions page back to the first', async () => {
  const repoKey = 'many'
  for (let i = 0; i < 33; i++) {
    await world.ask({ ...YES, repoKey, question: `Number ${i}?`, endedAt: Date.now() }, i * MINUTE)
  }
  const first = await text(pageOf(repoKey))
  expect(first).not.toContain('Number 32?')
  const earlier = /href="(\/repositories\?repoKey=many&amp;from=[^"#]+)/.exec(first)?.[1] ?? ''
  const second = await text(earlier.replaceAll('&amp;', '&'))
  expect(second).toContain('Number 32?')
  expect(second).not.toContain('Number 0?')
  expect((await world.get(`${pageOf(repoKey)}&from=../..`)).status).toBe(400)
})

const ODD = [
  '..',
  '../../etc',
  'a/b/../c',
  '%2e%2e',
  'größe/日本/🦊',
  'a b&c=d#e?f',
  'x'.repeat(200),
]

test.each(ODD)('a repository called %s has a page of its own', async (repoKey) => {
  await world.work({ sessionId: repoKey, repoKey })
  const list = await text('/repositories')
  const query = new URLSearchParams({ repoKey }).toString()
  expect(list).toContain(`href="/repositories?${query}"`)
  const response = await world.get(`/repositories?${query}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain(Bun.escapeHTML(repoKey))
})

test('a name that nothing is known of, or is of another workspace, is not found', async () => {
  await world.work({ workspaceId: 'ws_other', repoKey: 'theirs', sessionId: 'theirs' })
  await world.ask({ workspaceId: 'ws_other', repoKey: 'theirs' })
  for (const name of ['theirs', 'y'.repeat(300), '\0', '<script>']) {
    expect([name, (await world.get(pageOf(name))).status]).toEqual([name, 404])
  }
  expect(await text('/repositories')).not.toContain('theirs')
})
