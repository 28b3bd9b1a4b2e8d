import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { removePerson } from '../../../src/ask/people/remove-person.ts'
import { switchPerson } from '../../../src/ask/people/switch-off.ts'
import { personGone } from '../../../src/ask/person-gone.ts'
import { insertRota } from '../../../src/ask/rota/model/store.ts'
import { readOnCall } from '../../../src/ask/rota/read-on-call.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
let mara: Person
let bo: Person
beforeAll(async () => {
  world = await pageWorld()
  const owner = await findPersonByEmail(world.db.read, 'mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  mara = owner
  const who = { email: 'bo@example.org', name: 'Bo', role: 'member' } as const
  bo = (await addPerson({ db: world.db, clock }, who)).person
  const { workspaceId } = world
  const schedule = { startsOn: '2026-10-19', at: '09:00', everyDays: 7, people: [mara.id, bo.id] }
  const rota = { id: 'rota_1', workspaceId, name: 'platform', zone: 'Europe/Berlin' } as const
  await world.db.write((tx) => insertRota(tx, { ...rota, source: 'hand', schedule, createdAt: 1 }))
})
afterAll(() => world[Symbol.asyncDispose]())

const onCall = (text: string, name = 'platform') =>
  readOnCall(world.db.read, world.workspaceId, name, Date.parse(text))

test('whoever’s turn it is is on call until the next handover', async () => {
  expect(await onCall('2026-10-20T12:00Z')).toEqual({
    ...{ kind: 'person', personId: mara.id, until: Date.parse('2026-10-26T08:00Z') },
  })
  expect(await onCall('2026-10-26T08:00Z')).toMatchObject({ personId: bo.id })
  expect((await onCall('2026-10-18T12:00Z')).kind).toBe('nobody')
})

test('of a rota that does not exist nothing is known', async () => {
  expect((await onCall('2026-10-20T12:00Z', 'elsewhere')).kind).toBe('unknown')
  const other = await readOnCall(world.db.read, 'ws_other', 'platform', 0)
  expect(other.kind).toBe('unknown')
})

test('whoever is switched off or removed leaves a hole while it lasts', async () => {
  const deps = { db: world.db, clock, personGone: () => personGone({ onEnded: [], channels: [] }) }
  const kind = async () => (await onCall('2026-10-27T12:00Z')).kind
  await switchPerson(deps, mara, bo.id, false)
  expect(await kind()).toBe('nobody')
  await switchPerson(deps, mara, bo.id, true)
  expect(await kind()).toBe('person')
  await removePerson(deps, mara, bo.id)
  expect(await kind()).toBe('nobody')
  expect(await onCall('2026-10-20T12:00Z')).toMatchObject({ personId: mara.id })
})
