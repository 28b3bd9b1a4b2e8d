import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { rotaChecks } from '../../../src/ask/health/rota-check.ts'
import { addRota } from '../../../src/ask/rota/change-rotas.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `night ${letter}`)

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
  const { db } = world
  const mara = (await findPersonByEmail(db.read, 'mara@example.org')) as Person
  for (const name of NAMES) {
    const schedule = { startsOn: '2099-01-01', at: '09:00', everyDays: 7, people: [mara.id] }
    await addRota({ db, clock }, mara, { name, zone: 'UTC', schedule })
  }
})
afterAll(() => world[Symbol.asyncDispose]())

test('several rotas without anybody have a sentence each, on the page too', async () => {
  const [check] = await rotaChecks(world.db.read, [world.workspaceId], clock.now())
  expect(check?.each?.slice(0, -1)).toEqual(
    NAMES.slice(0, 5).map((name) => expect.stringContaining(name)),
  )
  expect(check?.each?.at(-1)).toStartWith('2 more')
  const page = await (await world.get('/settings/health')).text()
  const lines = [...page.matchAll(/<p class="soft">([^<]*)<\/p>/g)].map(([, text]) => text ?? '')
  for (const name of NAMES.slice(0, 5)) {
    expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
    expect(lines.find((line) => line.includes(name))).not.toContain(' In ')
  }
}, 30_000)
