import { afterAll, beforeAll, expect, test } from 'bun:test'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { exportAudit, readAudit } from '../../../src/ask/trail/read-audit.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { fillWithEnded } from '../../support/old-rows.ts'

// Sessions of a hundred days, forty at a time; the first ones are far from the present.
const QUARTER = { name: 'long', count: 10_000, fromDays: 100, untilDays: 1 }

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
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.next
      pages++
    } while (cursor !== undefined)
    const all = await Array.fromAsync(exportAudit(world, { workspaceId }, filter))
    expect([of, seen]).toEqual([of, all.map(({ id }) => id)])
    expect([of, all.length > 100]).toEqual([of, of.sessionId === 'long-00000001'])
  }
})
