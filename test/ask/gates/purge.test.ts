import { expect, test } from 'bun:test'
import { findListing, saveListing } from '../../../src/ask/gates/model/listing-store.ts'
import { listGates, listGateTools } from '../../../src/ask/gates/model/store.ts'
import { findGateVersion } from '../../../src/ask/gates/model/version-store.ts'
import { type PurgeDeps, purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { confirmTool } from '../../support/confirm-tool.ts'
import { gateWorld, READ } from '../../support/gate-world.ts'

const DAY = 24 * 60 * 60_000

test('the purge forgets lists and versions that nobody uses, and leaves gates with what an owner confirmed', async () => {
  await using world = await gateWorld()
  const { db, clock, call } = world
  const { workspaceId } = call().caller
  const deps: PurgeDeps = { db, clock, holder: 'here', retentionDays: 30 }
  const listed = async (key: string) => {
    const listing = { key, workspaceId, tools: { read_file: 'f' }, listedAt: clock.now() }
    await db.write((tx) => saveListing(tx, listing))
  }
  const [first] = (await world.list(READ)).tools
  await listed('old')
  await world.list({ ...READ, description: 'Reads a file, and more.' })
  await confirmTool(db, workspaceId, 'read_file')
  const [gate] = await listGates(db.read, workspaceId)
  const gateId = gate?.id ?? 'gate_none'
  const key = { gateId, name: 'read_file', fingerprint: first?.fingerprint ?? '' }
  const before = await listGateTools(db.read, gateId)
  const state = async () => [
    (await findListing(db.read, 'old')) !== undefined,
    (await findListing(db.read, 'new')) !== undefined,
    (await findGateVersion(db.read, key)) !== undefined,
  ]

  clock.jump(29 * DAY)
  await listed('new')
  await purgeOld(deps)
  expect(await state()).toEqual([true, true, true])

  clock.jump(2 * DAY)
  await purgeOld(deps)
  expect(await state()).toEqual([false, true, false])
  expect(await listGates(db.read, workspaceId)).toEqual(gate ? [gate] : [])
  expect(await listGateTools(db.read, gateId)).toEqual(before)
  expect(before[0]?.confirmed).toMatchObject({ unasked: true })
})
