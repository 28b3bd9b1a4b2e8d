import { afterEach, beforeEach, expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { readInboxPage } from '../../../src/ask/inbox/read-questions.ts'
import { readForOthers } from '../../../src/ask/inbox/waits-for-others.ts'
import type { Requirement } from '../../../src/ask/votes/model/requirement.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { signInAs } from '../../support/sign-in.ts'

let world: PageWorld
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  const bob = { id: 'bob', name: 'Bob', email: 'bob@example.org', role: 'member' } as const
  await db.write((tx) => insertPerson(tx, { ...bob, workspaceId }, 1))
})
afterEach(() => world[Symbol.asyncDispose]())

const OF_BOB: Requirement = {
  rules: [{ id: 'rule_1', words: 'Bash' }],
  places: [{ from: [{ id: 'bob', name: 'Bob' }], need: 1 }],
  ...{ excluded: [], veto: 'any', usableMs: 60_000 },
}
const MINUTE = 60_000
const ask = (question: string, minutes: number, requirement?: Requirement) =>
  world.ask({
    ...{ question, expiresAt: clock.now() + minutes * MINUTE },
    ...(requirement && { requirement }),
  })

test('what waits for a person comes first, and what others decide below a heading', async () => {
  await ask('For Bob?', 2, OF_BOB)
  await ask('For anybody?', 5)
  const order = async (cookie: string) => {
    const page = await (await world.get('/inbox', cookie)).text()
    const places = ['For anybody?', 'Waiting for others', 'For Bob?'].map((one) =>
      page.indexOf(`${one}<`),
    )
    return places.map((at) => (at === -1 ? undefined : places.filter((one) => one < at).length))
  }
  expect(await order(world.cookie)).toEqual([0, 1, 2])
  const [own, heading, bobs] = await order(await signInAs(world.app, 'bob'))
  expect(heading).toBeUndefined()
  expect((bobs ?? 0) < (own ?? 0)).toBe(true)
})

test('pages go through what waits for the person, then through the rest, each question once', async () => {
  for (const [at, requirement] of [OF_BOB, undefined, OF_BOB, undefined, OF_BOB].entries()) {
    await ask(`${requirement ? 'Bob' : 'any'} ${at}`, at + 1, requirement)
  }
  const { db, workspaceId } = world
  const viewer = { workspaceId, id: 'mara' }
  const last = await readForOthers({ db, clock }, viewer)
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await readInboxPage({ db, clock }, viewer, {
      ...{ limit: 2, last },
      ...(cursor !== undefined && { cursor }),
    })
    expect(page.total).toBe(5)
    pages.push(page.items.map(({ question }) => question))
    cursor = page.next
  } while (cursor !== undefined)
  expect(pages).toEqual([['any 1', 'any 3'], ['Bob 0', 'Bob 2'], ['Bob 4']])
})
