import { expect, setDefaultTimeout, test } from 'bun:test'
import { insertNotification } from '../../../src/ask/notifications/model/store.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { sightSession } from '../../../src/ask/sessions/model/store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { ANSWER_BYTES_MAX } from '../../../src/platform/paging.ts'
import { aNotification, aQuestion } from '../../support/question.ts'
import { HOME, type RestWorld, restWorld } from './rest-world.ts'

setDefaultTimeout(60_000)

// Of all texts those that grow the most when they are written as JSON.
const QUOTES = '"\\'.repeat(2_000)

type Page = Record<string, unknown> & { next?: string }

/** Every page of a list, each no larger than an answer may be. */
async function walk(world: RestWorld, path: string, between = async () => {}): Promise<Page[]> {
  const pages: Page[] = []
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? '' : `cursor=${encodeURIComponent(cursor)}`
    const { status, text, body } = await world.call({ as: 'member', path: `${path}${query}` })
    expect(status).toBe(200)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX)
    pages.push(body)
    cursor = (body as Page).next
    await between()
  } while (cursor !== undefined)
  return pages
}

test('an activity of megabytes comes in pages of one at most, each row once, whatever is added meanwhile', async () => {
  await using world = await restWorld()
  const now = world.deps.clock.now()
  const add = async (n: number) => {
    const id = newId('n', now - 1_000 + n)
    const context = { type: 'info' as const, details: Array.from({ length: 25 }, () => QUOTES) }
    const notification = { ...aNotification('', { workspaceId: HOME, context }), id }
    await world.db.write((tx) => insertNotification(tx, notification))
    return id
  }
  const ids: string[] = []
  for (let n = 0; n < 40; n++) ids.push(await add(n))
  const questionId = newId('q', now - 990)
  await world.db.write((tx) =>
    insertQuestion(tx, { ...aQuestion('', { workspaceId: HOME }), id: questionId }),
  )
  let later = 100
  const pages = await walk(
    world,
    '/api/v1/activity?limit=100&',
    async () => void (await add(later++)),
  )
  const listed = pages.flatMap(({ items }) =>
    (items as Array<Record<string, { id?: string; correlationId?: string }>>).map(
      ({ notification, question }) => notification?.id ?? question?.correlationId,
    ),
  )
  expect(listed.toSorted()).toEqual([...ids, questionId].toSorted())
  expect(pages.length).toBeGreaterThan(5)
})

test('one row that is larger than an answer may be is shown alone, and the rest follows', async () => {
  await using world = await restWorld()
  const now = world.deps.clock.now()
  for (const [n, details] of [['a'], Array(300).fill(QUOTES), ['b']].entries()) {
    const notification = {
      ...aNotification('', { workspaceId: HOME, context: { type: 'info' as const, details } }),
      id: newId('n', now + n),
    }
    await world.db.write((tx) => insertNotification(tx, notification))
  }
  const sizes: number[] = []
  let path = '/api/v1/activity'
  for (;;) {
    const { body } = await world.call({ as: 'member', path })
    const { items, next } = body as { items: unknown[]; next?: string }
    sizes.push(items.length)
    if (!next) break
    path = `/api/v1/activity?cursor=${next}`
  }
  expect(sizes).toEqual([1, 1, 1])
})

test('an inbox of megabytes comes in pages, each question once', async () => {
  await using world = await restWorld()
  const now = world.deps.clock.now()
  const ids: string[] = []
  for (let n = 0; n < 180; n++) {
    const id = newId('q', now + n)
    const times = { createdAt: now, expiresAt: now + 3_600_000 + (n % 7) }
    const detail = { actionBody: QUOTES, context: QUOTES.slice(0, 500) }
    const question = { ...aQuestion('', { workspaceId: HOME, ...times, detail }), id }
    await world.db.write((tx) => insertQuestion(tx, question))
    ids.push(id)
  }
  const pages = await walk(world, '/api/v1/inbox?limit=200&')
  const listed = pages.flatMap(({ questions }) =>
    (questions as Array<{ correlationId: string }>).map(({ correlationId }) => correlationId),
  )
  expect(listed.toSorted()).toEqual(ids.toSorted())
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.every(({ total }) => total === 180)).toBe(true)
})

test('sessions and the audit trail come in pages', async () => {
  await using world = await restWorld()
  const now = world.deps.clock.now()
  await world.db.write(async (tx) => {
    for (let n = 0; n < 900; n++) {
      await sightSession(tx, {
        workspaceId: HOME,
        machineId: '"'.repeat(128),
        sessionId: `${n}${'"'.repeat(120)}`,
        id: newId('ses', now + n),
        tokenId: 'key_1',
        client: undefined,
        at: now - (n % 5),
        errored: n % 3 === 0,
        agentName: '"'.repeat(100),
        repoKey: '\\'.repeat(500),
        lastAction: '"'.repeat(200),
      })
      const id = newId('n', now + n)
      const base = { workspaceId: HOME, agentName: '"'.repeat(100), title: '"'.repeat(1_000) }
      await insertNotification(tx, { ...aNotification('', base), id })
    }
  })
  const sessions = (await walk(world, '/api/v1/sessions?')).flatMap(
    ({ sessions }) => sessions as Array<{ sessionId: string }>,
  )
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(900)
  expect(sessions).toHaveLength(900)
  const trail = (await walk(world, '/api/v1/audit?kind=notification.sent&limit=200&')).flatMap(
    ({ entries }) => entries as unknown[],
  )
  expect(trail).toHaveLength(900)
  for (const path of ['/api/v1/sessions?cursor=x', '/api/v1/sessions?cursor=9-1-ses_1']) {
    expect((await world.call({ as: 'member', path })).status).toBe(400)
  }
})
