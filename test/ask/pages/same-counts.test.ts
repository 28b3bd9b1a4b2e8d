import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tallyQuestions } from '../../../src/ask/asking/tally-questions.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

// One house: the numbers that its pages print must be the same wherever they stand.
const SHOP = { agentName: 'Codex - shop', repoKey: 'acme/shop', machineId: 'm1', sessionId: 's1' }
const DOCS = { agentName: 'Gemini - docs', repoKey: 'acme/docs', machineId: 'm1', sessionId: 's2' }
const MINUTE = 60_000
const YES = { status: 'answered', value: 'yes', answerSource: 'inbox' } as const

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  await world.work(SHOP)
  await world.work({ ...SHOP, sessionId: 's3' }, MINUTE)
  await world.work(DOCS)
  for (let i = 0; i < 12; i++) await world.ask({ ...SHOP, question: `Shop ${i}?` })
  // The session of one repository asks about another, and an agent without a session asks.
  await world.ask({ ...SHOP, repoKey: 'acme/docs', question: 'Over there?' })
  await world.ask({ agentName: 'Gemini - docs', repoKey: 'acme/docs', question: 'Alone?' })
  const later = await world.ask({ ...DOCS, question: 'Later?' })
  await world.post(`/d/${later}/snooze`, { for: '5_minutes' })
  await world.ask({ ...DOCS, held: 'unattributed', question: 'To nobody?' })
  for (let i = 0; i < 4; i++) {
    await world.ask({ ...SHOP, ...YES, endedAt: Date.now() - MINUTE }, 2 * MINUTE)
  }
  await world.ask({ ...DOCS, status: 'expired', endedAt: Date.now() - MINUTE }, 2 * MINUTE)
  await world.ask({ ...DOCS, status: 'cancelled', endedAt: Date.now() - MINUTE }, 2 * MINUTE)
  for (let i = 0; i < 3; i++) await connect(db, aDevice({ workspaceId, label: `Phone ${i}` }))
  await tallyQuestions({ db, clock: systemClock, holder: 'test' })
})
afterAll(() => world[Symbol.asyncDispose]())

const words = async (path: string) => {
  const page = await (await world.get(path)).text()
  return page
    .slice(page.indexOf('<nav'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}
const numberIn = (text: string, pattern: RegExp): number | undefined => {
  const [, number] = pattern.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}
const json = async (path: string) => (await world.get(path)).json()
const rows = async (query: string) => {
  const page = await (await world.get(`/activity?${query}`)).text()
  return page.match(/<li class="row/g)?.length ?? 0
}

test('as many questions wait on every page, and over REST', async () => {
  const inbox = await words('/inbox')
  const waiting = numberIn(inbox, /(\d+) questions are waiting/)
  expect(waiting).toBe(14)
  for (const path of ['/', '/activity', '/audit', '/sessions', '/settings']) {
    expect([path, numberIn(await words(path), /Inbox (\d+) open/)]).toEqual([path, waiting])
  }
  expect((await json('/api/v1/inbox')).total).toBe(waiting)
  const repositories = await words('/repositories')
  const listed = [...repositories.matchAll(/(\d+) waiting/g)].map(([, number]) => Number(number))
  expect(listed.reduce((sum, number) => sum + number, 0)).toBe(waiting ?? 0)
})

test.each([
  ['acme/shop', 12],
  ['acme/docs', 2],
] as const)('as many wait for %s in the list, on its page and in the inbox', async (repoKey, n) => {
  const list = await words('/repositories')
  expect(numberIn(list, new RegExp(`${repoKey} \\d+ sessions? (\\d+) waiting`))).toBe(n)
  const page = await words(`/repositories?repoKey=${repoKey}`)
  expect(numberIn(page, /(\d+) questions waiting/)).toBe(n)
  const inbox = await (await world.get(`/inbox?repository=${repoKey}`)).text()
  expect(inbox.match(/id="title-q_/g)?.length).toBe(n)
})

test('as many sessions are in the list of repositories as on the page of one', async () => {
  const list = await words('/repositories')
  const page = await (await world.get('/repositories?repoKey=acme/shop')).text()
  const rowsOfSessions = page.match(/class="row session"/g)?.length
  expect(numberIn(list, /acme\/shop (\d+) sessions/)).toBe(rowsOfSessions)
})

test('as many questions ended as the activity lists', async () => {
  const month = await words('/activity')
  expect(numberIn(month, /(\d+) answered by people/)).toBe(await rows('outcome=byPerson'))
  expect(numberIn(month, /(\d+) unanswered/)).toBe(await rows('outcome=unanswered'))
  expect(numberIn(month, /(\d+) withdrawn/)).toBe(await rows('outcome=withdrawn'))
  const shop = await words('/activity?repository=acme/shop')
  const page = await words('/repositories?repoKey=acme/shop')
  const ended = /\d+ questions: 4 answered by people/
  expect([ended.exec(shop)?.[0], ended.exec(page)?.[0]]).toEqual([
    '4 questions: 4 answered by people',
    '4 questions: 4 answered by people',
  ])
})

test('as many devices are in Settings, on their page and over REST', async () => {
  const page = await (await world.get('/settings/devices')).text()
  const listed = page.match(/id="device-sub_/g)?.length
  expect(listed).toBe(3)
  expect((await json('/api/v1/subscribers')).subscribers.length).toBe(listed)
  expect(numberIn(await words('/settings'), /(\d+) devices/)).toBe(listed)
})
