import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { gateHouse } from '../../support/gate-house.ts'
import { type SurfaceWalk, walkSurface } from '../../support/mcp-surface.ts'
import { PROGRAM } from '../../support/program.ts'

setDefaultTimeout(60_000)

const EVERYTHING = [process.execPath, join(import.meta.dir, 'everything.ts')]
const CALLS = [
  { tool: 'one', args: { message: 'Ünïcödé \u2028', list: [1.5, null] } },
  { tool: 'two' },
  { tool: 'ask' },
  { tool: 'slow', cancelled: 300 },
  { tool: 'fail' },
]

test.each(['2025-11-25', '2026-07-28'] as const)(
  'the official client of %s finds no difference in all that a server offers, whose tools an owner confirmed',
  async (era) => {
    await using house = await gateHouse()
    const walk = (more: Pick<SurfaceWalk, 'words' | 'onTools'>) =>
      walkSurface({ env: house.env, cwd: house.home, era, calls: CALLS, ...more })
    const direct = await walk({ words: EVERYTHING })
    const words = [...PROGRAM, 'gate', 'toy', '--', ...EVERYTHING]
    const gated = await walk({ words, onTools: (names) => house.confirm(...names) })
    expect(direct.find(({ step }) => step === 'tools/call ask')?.result).toBeDefined()
    expect(gated).toEqual(direct)
    expect(await house.open()).toEqual([])
  },
)
