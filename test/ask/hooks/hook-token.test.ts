import { expect, test } from 'bun:test'
import { addToken, revoke } from '../../../src/ask/accounts/model/token-store.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { findHooks } from '../../../src/ask/scopes/model/hook-store.ts'
import { terminalActiveAt } from '../../../src/ask/sessions/model/store.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import { flowWorld } from '../../support/flow-world.ts'

const SESSION = { sessionId: 's1', machineId: 'm1', client: 'claude', event: 'heartbeat' } as const
const OWN = 'key_own'
const OTHER = 'key_other'

async function reported() {
  const world = await flowWorld()
  const { deps, clock, call } = world
  const { workspaceId } = call().caller
  const row = { workspaceId, test: false, createdAt: clock.now(), tail: 'abcd' }
  await deps.db.write(async (tx) => {
    for (const id of [OWN, OTHER] as const) await addToken(tx, { ...row, id, name: id, hash: id })
  })
  return {
    world,
    report: (tokenId: typeof OWN | typeof OTHER, more: Partial<HookReport> = {}) =>
      reportHook(deps, { ...SESSION, ...more }, call({ tokenId })),
    hook: async () => (await findHooks(deps.db.read, workspaceId, 's1'))[0],
    active: () => terminalActiveAt(deps.db.read, workspaceId, 'm1'),
    revoke: () => deps.db.write((tx) => revoke(tx, OWN, clock.now())),
  }
}

test('another token makes a hook neither there nor gone, nor the person active', async () => {
  const { world, report, hook, active } = await reported()
  await using _ = world
  await report(OWN, { clientVersion: '2.1' })
  const before = await hook()
  await world.clock.advance(60_000)
  await report(OTHER, { event: 'session_end', clientVersion: '9', interactive: true })
  expect(await hook()).toEqual(before)
  expect(await active()).toBeUndefined()
  await report(OWN, { interactive: true })
  expect(await hook()).toMatchObject({ lastSeenAt: world.clock.now(), tokenId: OWN })
  expect(await active()).toBe(world.clock.now())
})

test('a hook that ended, or whose token was revoked, goes on with another token', async () => {
  const { world, report, hook, revoke } = await reported()
  await using _ = world
  await report(OWN)
  await revoke()
  await report(OTHER)
  expect(await hook()).toMatchObject({ tokenId: OTHER })
  await report(OTHER, { event: 'session_end' })
  await report(OWN)
  expect(await hook()).toMatchObject({ tokenId: OWN, endedAt: undefined })
})

test('a hook that was silent for half a day is whoever reports it', async () => {
  const { world, report, hook } = await reported()
  await using _ = world
  await report(OWN)
  await world.clock.advance(13 * 60 * 60_000)
  await report(OTHER)
  expect(await hook()).toMatchObject({ tokenId: OTHER })
})
