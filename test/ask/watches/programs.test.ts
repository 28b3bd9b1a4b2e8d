import { expect, test } from 'bun:test'
import { addToken, revoke } from '../../../src/ask/accounts/model/token-store.ts'
import { putOneWatch } from '../../../src/ask/watches/change-watches.ts'
import { listPosts } from '../../../src/ask/watches/model/post-store.ts'
import { findWatch } from '../../../src/ask/watches/model/store.ts'
import { createNewsSender } from '../../../src/ask/watches/post-news.ts'
import { watchChecks } from '../../../src/ask/watches/watch-check.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { callbackReceiver } from '../../support/callback-receiver.ts'
import { verified } from '../../support/callback-world.ts'
import { catalogOf, newsItem, watchWorld } from '../../support/watch-world.ts'

const TOOL = { kind: 'tool', target: 'acme-mail' } as const

/** A program with a token that watches a tool, and the server between it and its receiver. */
async function programWorld(...behaviour: Array<{ status: number }>) {
  const world = await watchWorld()
  const receiver = await callbackReceiver()
  const { workspaceId, flows } = world
  const { db, clock } = flows
  const row = { name: 'CI', hash: 'h', tail: 't', test: false, createdAt: 1, createdBy: null }
  await db.write((tx) => addToken(tx, { id: 'key_1', workspaceId, ...row }))
  const url = receiver.url('/hook', ...behaviour)
  const of = { workspaceId, tokenId: 'key_1' } as const
  const { watch, secret } = await putOneWatch(world.deps, of, { ...TOOL, url })
  const guarded = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const sender = createNewsSender({
    ...{ db, clock, log: silentLog, holder: 'here', random: () => 0 },
    fetch: (at, request = {}) => guarded.fetch(at, { ...request, timeoutMs: 1_500 }),
  })
  return {
    ...{ world, receiver, watch, secret: secret ?? '', of, url },
    watchNow: () => findWatch(db.read, watch.id),
    async publish(...subjects: string[]) {
      world.catalog.shown = catalogOf(subjects.map((subject) => newsItem(subject)))
      await world.tell()
      await sender.look()
      await sender.idle()
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

test('a program is sent news once, signed with the secret that it was shown once', async () => {
  await using program = await programWorld()
  const { world, receiver, secret } = program
  await program.publish('one', 'two')
  await program.publish('one', 'two')
  const [post, ...more] = receiver.at('/hook')
  expect(more).toEqual([])
  if (!post) throw new Error('nothing was posted')
  expect(verified(secret, post, world.flows.clock.now())).toMatchObject({
    type: 'catalog.news',
    watch: { kind: 'tool', target: 'acme-mail' },
    news: [{ subject: 'one', url: 'http://localhost:8484/tools/acme-mail' }, { subject: 'two' }],
    gone: [],
  })
  const again = await putOneWatch(world.deps, program.of, { ...TOOL, url: program.url })
  expect([again.secret, again.watch.id]).toEqual([undefined, program.watch.id])
})

test('an address that wants no more is left alone, Health says so, and it can go on', async () => {
  await using program = await programWorld({ status: 410 }, { status: 204 })
  const { world, receiver, of, url } = program
  await program.publish('one')
  await program.publish('one', 'two')
  expect(receiver.at('/hook')).toHaveLength(1)
  expect((await program.watchNow())?.stoppedWhy).toContain('410')
  const [check] = await watchChecks(world.deps.db.read, [world.workspaceId])
  expect(check).toMatchObject({ state: 'warn', said: expect.stringContaining('410') })
  await putOneWatch(world.deps, of, { ...TOOL, url })
  expect(await watchChecks(world.deps.db.read, [world.workspaceId])).toEqual([])
  await program.publish('one', 'two', 'three')
  const subjects = receiver
    .at('/hook')
    .map(({ body }) => JSON.parse(body).news.map(({ subject }: { subject: string }) => subject))
  expect(subjects).toEqual([['one'], ['three']])
})

test('an address that fails is tried for a day, under one id, and then left alone', async () => {
  await using program = await programWorld({ status: 500 })
  const { world, receiver } = program
  await program.publish('one')
  for (let n = 0; n < 40 && !(await program.watchNow())?.stoppedAt; n++) {
    await world.flows.clock.advance(3_600_000)
    await program.publish('one')
  }
  expect((await program.watchNow())?.stoppedWhy).toContain('day')
  const posts = receiver.at('/hook')
  expect(posts.length).toBeGreaterThan(3)
  expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a revoked token posts nothing', async () => {
  await using program = await programWorld()
  const { db, clock } = program.world.flows
  await db.write((tx) => revoke(tx, 'key_1', clock.now()))
  await program.publish('one')
  expect(program.receiver.received).toEqual([])
  expect(await program.watchNow()).toBeUndefined()
  expect(await listPosts(db.read, program.watch.id)).toEqual([])
})
