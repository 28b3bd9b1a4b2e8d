import { expect, test } from 'bun:test'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { callbackWorld } from '../../support/callback-world.ts'

const HOUR = 3_600_000

test('an old question stays while its callback is on its way, and takes it along when it goes', async () => {
  await using world = await callbackWorld()
  const { db, clock } = world.flows
  const deps = { db, clock, holder: 'purger', retentionDays: 1 }
  const id = await world.answered(world.receiver.url('/hook', { status: 500 }, { status: 204 }))
  await clock.advance(23 * HOUR)
  await world.send()
  await clock.advance(2 * HOUR)
  await purgeOld(deps)
  expect(await readQuestion({ db, clock }, { workspaceId: world.workspaceId }, id)).toBeDefined()

  await world.send()
  expect(await world.callbacks()).toMatchObject([{ state: 'lapsed' }])
  await clock.advance(2 * HOUR)
  await purgeOld(deps)
  expect(await readQuestion({ db, clock }, { workspaceId: world.workspaceId }, id)).toBeUndefined()
  expect(await world.callbacks()).toEqual([])
})
