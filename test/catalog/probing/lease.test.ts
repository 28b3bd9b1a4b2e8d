import { expect, test } from 'bun:test'
import { createTurns } from '../../../src/catalog/probing/lease.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { leases } from '../../../src/platform/db/table.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { openTestDatabase } from '../../support/test-database.ts'

test('work that begins while the lease is being given back has it to its end', async () => {
  using folder = tempFolder()
  await using opened = await openTestDatabase(folder.path)
  const { db } = opened
  const held = async () => (await db.read.select().from(leases)).map(({ holder }) => holder)
  const slow = Promise.withResolvers<void>()
  const leaving = Promise.withResolvers<void>()
  let writes = 0
  // As a pool does it: the connection that gives the lease back is slower than the one that takes it.
  const write: Db['write'] = async (work) => {
    // It is taken, renewed, then given back.
    if (++writes === 3) {
      leaving.resolve()
      await slow.promise
    }
    return await db.write(work)
  }
  const inTurn = createTurns({ db: { ...db, write }, clock, holder: 'here' })
  const first = inTurn(async () => expect(await held()).toEqual(['here']))
  await leaving.promise
  const second = inTurn(async () => {
    await first
    expect(await held()).toEqual(['here'])
  })
  slow.resolve()
  await Promise.all([first, second])
  expect(await held()).toEqual([])
})

test('work that takes longer than the lease keeps it', async () => {
  using folder = tempFolder()
  await using opened = await openTestDatabase(folder.path)
  const { db } = opened
  const clock = fakeClock()
  const began = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const long = createTurns({ db, clock, holder: 'here' })(async () => {
    began.resolve()
    await done.promise
  })
  await began.promise
  await clock.advance(25 * 60_000)
  let elsewhere = false
  await createTurns({ db, clock, holder: 'there' })(async () => {
    elsewhere = true
  })
  expect(elsewhere).toBeFalse()
  done.resolve()
  await long
  await createTurns({ db, clock, holder: 'there' })(async () => {
    elsewhere = true
  })
  expect(elsewhere).toBeTrue()
})
