import { expect, test } from 'bun:test'
import {
  listInstructions,
  moveInstruction,
} from '../../../src/ask/turns/model/instruction-store.ts'
import type { Turn } from '../../../src/ask/turns/model/turn.ts'
import { mayHold, sightTurn } from '../../../src/ask/turns/model/turn-store.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

async function endedSession(world: PageWorld, more: Partial<Turn> = {}) {
  const id = await world.work({ client: 'claude' })
  const { workspaceId, db } = world
  const of = { id, workspaceId, machineId: 'm1', sessionId: 's1', tokenId: 'key_1' as const }
  const turn = {
    ...{ ...of, client: 'claude', state: 'finished' as const, seenAt: Date.now() },
    ...{ lastWords: 'Tests are <b>green</b>.', durationMs: 720_000, filesChanged: 3 },
    ...{ isNew: true, typed: false },
  }
  await db.write((tx) => sightTurn(tx, { ...turn, ...more }, 0))
  return id
}

async function text(world: PageWorld, path: string) {
  return await (await world.get(path)).text()
}

test('the page of a session says what it came to, and takes what comes next', async () => {
  await using world = await pageWorld()
  const id = await endedSession(world)
  const path = `/live/${id}`
  const page = await text(world, path)
  expect(page).toContain('12 min, 3 files changed')
  expect(page).toContain('Tests are &lt;b>green&lt;/b>.')
  for (const reply of ['Continue', 'Run the tests', 'Commit']) expect(page).toContain(`>${reply}<`)
  const response = await world.post(
    `${path}/next`,
    { text: 'now the docs' },
    { cookie: world.cookie },
  )
  expect([response.status, response.headers.get('location')]).toEqual([303, `${path}#next`])
  const after = await text(world, path)
  expect(after).toContain('now the docs')
  expect(after).toContain('Withdraw')
})

test('words that were handed over are not called begun', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const id = await endedSession(world)
  await world.post(`/live/${id}/next`, { quick: 'Continue' }, { cookie: world.cookie })
  const [one] = await listInstructions(db.read, { workspaceId }, id, 1)
  if (!one) throw new Error('nothing was sent')
  await db.write((tx) => moveInstruction(tx, one, 'hand_over', Date.now()))
  expect(await text(world, `/live/${id}`)).toContain('Not begun yet; with Claude Code')
  await db.write((tx) => moveInstruction(tx, one, 'take', Date.now()))
  expect(await text(world, `/live/${id}`)).toContain('Delivered at')
})

test('a text that begins like a command is kept, and sent with a second tap', async () => {
  await using world = await pageWorld()
  const { db, workspaceId, cookie } = world
  const id = await endedSession(world)
  const first = await world.post(`/live/${id}/next`, { text: '/compact' }, { cookie })
  const page = await first.text()
  expect(page).toContain('Send as text')
  expect(page).toContain('>/compact</textarea>')
  expect(await listInstructions(db.read, { workspaceId }, id, 1)).toEqual([])
  await world.post(`/live/${id}/next`, { text: '/compact', confirmed: 'yes' }, { cookie })
  expect(await listInstructions(db.read, { workspaceId }, id, 1)).toHaveLength(1)
})

test('while one waits, another text is kept with the reason', async () => {
  await using world = await pageWorld()
  const { cookie } = world
  const id = await endedSession(world)
  await world.post(`/live/${id}/next`, { text: 'first' }, { cookie })
  const page = await (await world.post(`/live/${id}/next`, { text: 'second' }, { cookie })).text()
  expect(page).toContain('“first”')
  expect(page).toContain('>second</textarea>')
})

test('ready texts are the person’s own, and an owner switches the wait on', async () => {
  await using world = await pageWorld()
  const { db, workspaceId, cookie } = world
  const id = await endedSession(world)
  await world.post(
    `/live/${id}/next/settings`,
    { replies: 'Ship it\n\nShip it', holds: 'on' },
    { cookie },
  )
  expect(await text(world, `/live/${id}`)).toContain('>Ship it<')
  expect(await mayHold(db.read, workspaceId, 'claude')).toBe(true)
  await world.post(`/live/${id}/next/settings`, { replies: '' }, { cookie })
  expect(await mayHold(db.read, workspaceId, 'claude')).toBe(false)
})

test('a session that has waited for 20 minutes stands on top', async () => {
  await using world = await pageWorld()
  const early = Date.now() - 25 * 60_000
  const id = await endedSession(world, { seenAt: early })
  await world.work({ sessionId: 's2', agentName: 'Codex - api' })
  const page = await text(world, '/sessions')
  expect(page.indexOf(id)).toBeLessThan(page.indexOf('Codex'))
  expect(page).toContain('Finished')
})
