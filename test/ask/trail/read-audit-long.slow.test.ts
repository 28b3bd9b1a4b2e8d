import { afterAll, beforeAll, expect, test } from 'bun:test'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { exportAudit, readAudit } from '../../../src/ask/trail/read-audit.ts'
import { addViewers } from '../../../src/ask/visibility/model/store.ts'
import type { SubjectId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { fillWithEnded } from '../../support/old-rows.ts'

// Sessions of a hundred days, forty at a time; the first ones are far from the present.
const QUARTER = { name: 'long', count: 20_000, fromDays: 100, untilDays: 1 }

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
  const { workspaceId } = world.call().caller
  await createToken(world, { workspaceId, name: 'CI' })
  fillWithEnded(world.db.place.replace(/[^/]*$/, ''), QUARTER, world.clock.now())
})
afterAll(() => world[Symbol.asyncDispose]())

test('of a long trail one page looks at a part, and says where the next goes on', async () => {
  const { workspaceId } = world.call().caller
  for (const of of [{ sessionId: 'long-00000001' }, { sessionId: 'none' }, { agent: 'nobody' }]) {
    const filter = { ...NO_FILTER, ...of }
    const seen: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = await readAudit(world, { workspaceId }, filter, { cursor, limit: 20 })
      if (pages === 0) expect([page.entries, page.next]).toEqual([[], expect.any(String)])
      const isShort = page.next !== undefined && page.entries.length < 20
      expect(page.lookedBackTo !== undefined).toBe(isShort)
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.next
      pages++
    } while (cursor !== undefined)
    const all = await Array.fromAsync(exportAudit(world, { workspaceId }, filter))
    expect([of, seen]).toEqual([of, all.map(({ id }) => id)])
    expect([of, all.length > 100]).toEqual([of, of.sessionId === 'long-00000001'])
  }
})

test('what somebody does not see makes no short page, until very much was looked through', async () => {
  const { workspaceId } = world.call().caller
  const ana = { workspaceId, id: 'ana', sees: 'own' } as const
  const page = (limit: number, cursor?: string) =>
    readAudit(world, ana, NO_FILTER, { limit, ...(cursor && { cursor }) })
  const first = await page(20)
  expect(first).toEqual({
    entries: [],
    next: expect.any(String),
    lookedBackTo: expect.any(Number),
  })
  // Hers is older than more hidden entries than one page used to look through.
  const all = await Array.fromAsync(exportAudit(world, { workspaceId }, NO_FILTER))
  const old = all.slice(7_000).find(({ subjectId }) => subjectId?.startsWith('q_'))
  if (!old) throw new Error('the trail is too short')
  const row = { subjectId: old.subjectId as SubjectId, who: ana.id }
  await world.db.write((tx) => addViewers(tx, [row]))
  const { entries } = await page(1)
  expect(entries.map(({ subjectId }) => subjectId)).toEqual([old.subjectId])
})
